import { describe, expect, it } from 'vitest'
import { makeTestGateway } from '../../test/test-gateway.ts'

const definition = {
  ...{ api_id: 'w', name: 'w', active: true, use_keyless: true },
  version_data: { not_versioned: true, versions: { Default: { name: 'Default' } } },
  proxy: { listen_path: '/w/', target_url: 'http://u' },
}
const openApi = (extension: object) => ({
  openapi: '3.0.3',
  info: { title: 'o', version: '1' },
  paths: {},
  'x-svc-api-gateway': {
    info: { id: 'o', name: 'o', state: { active: true } },
    upstream: { url: 'http://u' },
    server: { listenPath: { value: '/o/' } },
    ...extension,
  },
})
const unsupported = { ...definition, analytics_plugin: { enabled: true }, auth_provider: { storage_engine: 'ldap' } }

describe('a call that writes a document warns about fields without effect', () => {
  it('of a definition', async () => {
    const gateway = await makeTestGateway()
    const plain = await gateway.call('POST', '/svc/apis', definition)
    expect(plain.json).toEqual({ key: 'w', status: 'ok', action: 'added' })
    expect((await gateway.call('POST', '/svc/apis', { ...unsupported, use_keyles: true, slug: 's' })).json).toEqual({
      key: 'w',
      status: 'ok',
      action: 'added',
      warnings: [
        'use_keyles is not a known field and is ignored; remove it [unknown-field]',
        "auth_provider is not supported, so requests are rejected: keys come from the gateway's own storage only; remove it, and create the keys in this gateway [feature-rejected]",
        'analytics_plugin has no effect: analytics records are not changed by plugins; change the records where they are read, and remove it [field-without-effect]',
        'slug has no effect: it is only stored and returned; remove it [stored-field]',
      ],
    })
  })

  it('of a template that cannot run', async () => {
    const gateway = await makeTestGateway()
    const template_data = { input_type: 'json', template_mode: 'blob', template_source: btoa('{{bcrypt .password}}') }
    const transform = [{ path: '/a', method: 'POST', template_data }]
    const versions = { Default: { name: 'Default', use_extended_paths: true, extended_paths: { transform } } }
    const version_data = { not_versioned: true, versions }
    const added = await gateway.call('POST', '/svc/apis', { ...definition, version_data })
    expect(added.json).toMatchObject({
      status: 'ok',
      warnings: [
        'version_data.versions.Default.extended_paths.transform[0].template_data.template_source is not a valid template, so requests to this path get 500: line 1, column 3: function "bcrypt" is not available: it computes so long that other requests would wait [invalid-template]',
      ],
    })
  })

  it('of every error and warning of check, with hidden secrets', async () => {
    const gateway = await makeTestGateway({ secret: (_, name) => (name === 'target' ? 'sekrit' : undefined) })
    const template_data = { template_mode: 'file', template_source: 'none.tmpl' }
    const extended_paths = { transform_response: [{ path: '/a', method: 'GET', template_data }] }
    const versions = { Default: { name: 'Default', use_extended_paths: true, extended_paths } }
    const proxy = { listen_path: '/w/', target_url: 'secrets://target' }
    const written = { ...definition, org_id: 'secrets://none', proxy, version_data: { not_versioned: true, versions } }
    await gateway.call('POST', '/svc/apis', definition)
    await gateway.call('GET', '/svc/reload?block=true')
    for (const [method, path] of [
      ['POST', '/svc/apis'],
      ['PUT', '/svc/apis/w'],
    ] as const) {
      const { json, text } = await gateway.call(method, path, written)
      expect(json).toMatchObject({
        warnings: [
          'the definition uses secrets://none, which is not set; the text stays as it is; set it before the start [secret-not-set]',
          expect.stringMatching(/^proxy.target_url has no scheme .*"http:\/\/\[secret\]"/),
          expect.stringMatching(/transform_response\[0\] never takes effect/),
          expect.stringMatching(/transform_response\[0\].*template_source .* 500: the file "none.tmpl" cannot be read/),
        ],
      })
      expect(text).not.toContain('sekrit')
    }
  })

  it('of an OpenAPI document, with those of its classic form', async () => {
    const gateway = await makeTestGateway()
    const document = openApi({
      server: { listenPath: { value: '/o/' }, gatewayTags: { enabled: true } },
      middleware: { operations: { none: { block: { enabled: true } } } },
    })
    const { json } = await gateway.call('POST', '/svc/apis/oas', document)
    expect(json).toMatchObject({
      warnings: [
        expect.stringMatching(/^x-svc-api-gateway.server.gatewayTags has no effect/),
        expect.stringMatching(/^x-svc-api-gateway.middleware.operations.none has no effect: no operation/),
      ],
    })
  })

  it('at most a hundred times', async () => {
    const gateway = await makeTestGateway()
    const unknown = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`x${i}`, 1]))
    const { json } = await gateway.call('POST', '/svc/apis', { ...definition, ...unknown })
    const { warnings } = json as { warnings: string[] }
    expect(warnings).toHaveLength(101)
    expect(warnings.at(-1)).toBe('50 more; turnpike check lists all of them')
  })

  it('of an OpenAPI document', async () => {
    const gateway = await makeTestGateway()
    const document = openApi({ middleware: { global: { cors: { enabled: true, enable: true } } } })
    const warnings = [
      // "enabled" is not suggested, because the document has it already.
      'x-svc-api-gateway.middleware.global.cors.enable is not a known field and is ignored; remove it [unknown-field]',
    ]
    expect((await gateway.call('POST', '/svc/apis/oas', document)).json).toMatchObject({ status: 'ok', warnings })
    await gateway.call('GET', '/svc/reload?block=true')
    expect((await gateway.call('PUT', '/svc/apis/oas/o', document)).json).toMatchObject({ status: 'ok', warnings })
  })

  it.each(['POST', 'PUT'])('of a policy: %s', async (method) => {
    const gateway = await makeTestGateway()
    const policy = { id: 'p', rate: 1, per: 1, quotamax: 5, graphql_access_rights: { a: 1 } }
    expect((await gateway.call(method, '/svc/policies/p', policy)).json).toMatchObject({
      warnings: [
        'quotamax is not a known field and is ignored; did you mean "quota_max"? [unknown-field]',
        'graphql_access_rights has no effect: limits of GraphQL belong to one API; set the limits in access_rights [feature-without-effect]',
      ],
    })
  })

  it.each([
    ['POST', '/svc/keys/create'],
    ['POST', '/svc/keys/a-new-key'],
    ['POST', '/svc/org/keys/acme'],
  ])('of a session: %s %s', async (method, path) => {
    const gateway = await makeTestGateway({ apis: [definition] })
    const session = { access_rights: { w: { api_id: 'w', allowed_url: [] } }, allowance: 3 }
    expect((await gateway.call(method, path, session)).json).toMatchObject({
      warnings: [
        'access_rights.w.allowed_url is not a known field and is ignored; did you mean "allowed_urls"? [unknown-field]',
        'allowance has no effect: it is only stored and returned; remove it [stored-field]',
      ],
    })
  })

  it('of a session that is replaced', async () => {
    const gateway = await makeTestGateway({ apis: [definition] })
    const session = { access_rights: { w: { api_id: 'w' } } }
    await gateway.call('POST', '/svc/keys/a-new-key', session)
    const replaced = await gateway.call('PUT', '/svc/keys/a-new-key', { ...session, alais: 'x' })
    expect(replaced.json).toMatchObject({
      warnings: ['alais is not a known field and is ignored; did you mean "alias"? [unknown-field]'],
    })
  })
})

describe('with strict', () => {
  const strict = { settings: { strict: true } }

  it('such APIs are rejected, and nothing is written', async () => {
    const gateway = await makeTestGateway(strict)
    const rejected = await gateway.call('POST', '/svc/apis', { ...definition, use_keyles: true })
    expect([rejected.status, rejected.json]).toEqual([
      400,
      {
        status: 'error',
        message: 'use_keyles is not a known field and is ignored; remove it ("strict" is on)',
      },
    ])
    expect((await gateway.call('POST', '/svc/apis', unsupported)).status).toBe(400)
    const document = openApi({ middleware: { globl: {} } })
    expect((await gateway.call('POST', '/svc/apis/oas', document)).status).toBe(400)
    expect([...gateway.files.keys()].filter((file) => file.startsWith('apps/'))).toEqual([])
  })

  it.each([
    ['POST', '/svc/policies', { id: 'p', quotamax: 5 }],
    ['PUT', '/svc/policies/p', { id: 'p', quotamax: 5 }],
    ['POST', '/svc/keys/create', { access_rights: {}, alais: 'x' }],
    ['POST', '/svc/keys/a-new-key', { access_rights: {}, alais: 'x' }],
    ['PUT', '/svc/keys/a-new-key', { access_rights: {}, alais: 'x' }],
    ['PUT', '/svc/org/keys/acme', { alais: 'x' }],
  ])('policies and keys are rejected as well: %s %s', async (method, path, body) => {
    const gateway = await makeTestGateway(strict)
    const rejected = await gateway.call(method, path, body)
    expect([rejected.status, rejected.text]).toEqual([400, expect.stringMatching(/is not a known field.*strict/)])
    expect([...gateway.files.keys(), ...(await gateway.keys.list({}))]).toEqual([])
  })

  it('fields that no gateway acts on are accepted', async () => {
    const gateway = await makeTestGateway(strict)
    const accepted = await gateway.call('POST', '/svc/apis', { ...definition, slug: 's' })
    expect([accepted.status, accepted.json]).toMatchObject([200, { warnings: [expect.stringContaining('slug')] }])
  })

  it('files with such fields are not loaded, and the report says where and why', async () => {
    const gateway = await makeTestGateway(strict)
    gateway.files.set('apps/w.json', JSON.stringify(unsupported, null, 2))
    gateway.files.set('apps/v.json', JSON.stringify({ ...definition, api_id: 'v', slug: 's' }))
    await gateway.call('GET', '/svc/reload?block=true')
    const { json } = await gateway.call('GET', '/svc/reload/report')
    expect(json).toMatchObject({
      loaded: 1,
      failed: [{ reason: expect.stringMatching(/^auth_provider: is not supported.*\("strict" is on\)$/), line: 21 }],
    })
  })
})

describe('the report of a reload', () => {
  it('contains unknown fields of definitions and policies, with what to do instead', async () => {
    const gateway = await makeTestGateway({
      apis: [{ ...definition, use_keyles: true, slug: 's' }],
      policies: [{ id: 'gold', quotamax: 5, active: true }],
    })
    await gateway.call('GET', '/svc/reload?block=true')
    const { json } = await gateway.call('GET', '/svc/reload/report')
    expect(json).toMatchObject({
      policies: {
        warnings: [expect.stringMatching(/quotamax is not a known field and is ignored; did you mean/)],
        stored: [{ source: 'policies/gold.json', field: 'active', instead: 'use is_inactive' }],
      },
      unsupported: [
        { field: 'slug', harmless: true, instead: 'remove it' },
        {
          field: 'use_keyles',
          reason: 'it is not a known field',
          instead: 'remove it',
        },
      ],
    })
    const logged = gateway.log.lines.filter(({ message }) => /no effect/.test(message))
    expect(logged.map(({ level, fields }) => [level, fields['field']])).toEqual([
      ['warn', expect.stringContaining('quotamax is not a known field')],
      ['warn', 'use_keyles'],
    ])
    expect(JSON.stringify((await gateway.call('GET', '/hello')).json)).toContain('not supported: w use_keyles"')
  })
})
