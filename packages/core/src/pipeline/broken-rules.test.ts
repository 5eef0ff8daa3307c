/**
 * Every kind of rule, in both notations, with each part that can be invalid, and the rights of keys: either the definition
 * does not load, with a message that names the part, or its requests are rejected. None reaches the upstream.
 */
import { describe, expect, it } from 'vitest'
import { documentOf, makeDocumentEngine } from '../../test/support/document-engine.ts'
import { definitionOf, makeTestEngine, type TestEngine, withPaths } from '../../test/support/test-engine.ts'
import { extendedPathsShape } from '../definition/version-shape.ts'
import type { UpstreamResponse } from '../ports/upstream.ts'

const rule = { path: '/x', method: 'GET' }
const brokenPath = { path: '/x(', method: 'GET' }
const template = (data: object) => ({ ...rule, template_data: { input_type: 'json', template_mode: 'blob', ...data } })
const templates: Readonly<Record<string, object>> = {
  'a template that is no base64': { template_source: '%' },
  'an invalid template': { template_source: btoa('{{if}}') },
  'a template with an excluded function': { template_source: btoa('{{bcrypt .a}}') },
  'a template file that does not exist': { template_mode: 'file', template_source: 'none.tmpl' },
  'a template that fails': { template_source: btoa('{{index .list 9}}') },
}
const rewrite = { ...rule, match_pattern: '.*', rewrite_to: '/y' }
const trigger = (options: object) => ({ ...rewrite, triggers: [{ on: 'any', rewrite_to: '/z', options }] })
const brokenMatch = { n: { match_rx: '(', reverse: false } }

/** Fields that make a rule of a list complete. */
const complete: Readonly<Record<string, object>> = {
  mock_response: { code: 200 },
  transform: template({}),
  transform_response: template({}),
  url_rewrites: rewrite,
  method_transforms: { to_method: 'POST' },
  validate_json: { schema: {} },
  rate_limit: { rate: 10, per: 1 },
  size_limits: { size_limit: 1 },
  hard_timeouts: { timeout: 1 },
}

const brokenParts: Readonly<Record<string, object>> = {
  'a rewrite with an invalid pattern': { url_rewrites: [{ ...rewrite, match_pattern: '(' }] },
  'a trigger on headers': { url_rewrites: [trigger({ header_matches: brokenMatch })] },
  'a trigger on the query': { url_rewrites: [trigger({ query_val_matches: brokenMatch })] },
  'a trigger on the path': { url_rewrites: [trigger({ path_part_matches: brokenMatch })] },
  'a trigger on metadata': { url_rewrites: [trigger({ session_meta_matches: brokenMatch })] },
  'a trigger on the context': { url_rewrites: [trigger({ request_context_matches: brokenMatch })] },
  'a trigger on the body': { url_rewrites: [trigger({ payload_matches: { match_rx: '(' } })] },
  'a schema with an unknown type': { validate_json: [{ ...rule, schema: { type: 'none' } }] },
  'a schema that is no schema': { validate_json: [{ ...rule, schema: 'x' }] },
  'a schema that is null': { validate_json: [{ ...rule, schema: null }] },
  'a schema with an invalid pattern': { validate_json: [{ ...rule, schema: { pattern: '(' } }] },
  'a schema with a reference to nowhere': { validate_json: [{ ...rule, schema: { $ref: '#/none' } }] },
  'a schema that is no base64': { validate_json: [{ ...rule, schema_b64: '%' }] },
  'a schema that is no JSON': { validate_json: [{ ...rule, schema_b64: 'ew==' }] },
  'an unknown method': { method_transforms: [{ ...rule, to_method: 'FETCH' }] },
  'a cache key': { advance_cache_config: [{ ...rule, cache_key_regex: '(' }] },
  'a plugin in Go': { go_plugin: [rule] },
  'a scripted endpoint without a script': { virtual: [{ ...rule, function_source_type: 'blob' }] },
  'a scripted endpoint without a source': { virtual: [{ ...rule, response_function_name: 'f' }] },
  'a scripted endpoint without its file': {
    virtual: [
      { ...rule, response_function_name: 'f', function_source_type: 'file', function_source_uri: 'middleware/no.js' },
    ],
  },
}

async function expectClosed({ engine, upstreamRequests, send }: TestEngine, path: string, part: string) {
  const { status } = await send('GET', path)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(upstreamRequests).toHaveLength(0)
  const failed = engine.report()?.failed ?? []
  if (failed.length > 0) expect(JSON.stringify(failed)).toContain(part)
}

describe('a rule of a classic definition', () => {
  it.each(extendedPathsShape.wireNames)('closes its version if the path is no pattern: %s', async (list) => {
    const broken = list === 'cache' ? '/x(' : { ...complete[list], ...brokenPath }
    const engine = await makeTestEngine({ definitions: [definitionOf('a', withPaths({ [list]: [broken] }))] })
    await expectClosed(engine, '/a/x', list)
    expect(JSON.stringify(engine.logged)).toContain(list)
  })

  it.each(['ignored', 'white_list', 'black_list'])(
    'closes its version without extended paths too: %s',
    async (list) => {
      const versions = { Default: { name: 'Default', paths: { [list]: ['/x('] } } }
      const engine = await makeTestEngine({ definitions: [definitionOf('a', { version_data: { versions } })] })
      await expectClosed(engine, '/a/y', list)
    },
  )

  it.each(Object.entries(brokenParts))('closes its path: %s', async (_, lists) => {
    const engine = await makeTestEngine({ definitions: [definitionOf('a', withPaths(lists))] })
    await expectClosed(engine, '/a/x', '')
    expect((await engine.send('GET', '/a/other')).status).toBe(200)
  })

  it('does nothing if it is disabled', async () => {
    const lists = { black_list: [{ ...brokenPath, disabled: true }], url_rewrites: [{ ...rewrite, path: '/y' }] }
    const { send } = await makeTestEngine({ definitions: [definitionOf('a', withPaths(lists))] })
    expect((await send('GET', '/a/x')).status).toBe(200)
  })
})

describe('a body template that cannot run', () => {
  const processors = { response_processors: [{ name: 'response_body_transform' }] }
  const operation = { operationId: 'x', responses: { 200: { description: 'ok' } } }
  const secret = new TextEncoder().encode('{"secret":1}')
  const upstream = async (): Promise<UpstreamResponse> => ({
    ...{ kind: 'response', status: 200, body: secret, bodyLength: secret.length, abort: () => {} },
    headers: ['content-type', 'application/json'],
  })

  it.each(Object.entries(templates))('lets no body through, in both notations: %s', async (_, data) => {
    const classic = (list: string) => definitionOf('a', { ...withPaths({ [list]: [template(data)] }), ...processors })
    const { template_source: source = '', template_mode: mode } = data as Record<string, string>
    const part = { enabled: true, format: 'json', ...(mode === 'file' ? { path: source } : { body: source }) }
    const engines = [
      await makeTestEngine({ definitions: [classic('transform')], upstream }),
      await makeTestEngine({ definitions: [classic('transform_response')], upstream }),
    ]
    for (const engine of engines) {
      const { status, body } = await engine.send('GET', '/a/x')
      expect([status, String(body)]).toEqual([500, expect.not.stringContaining('secret')])
    }
    expect(engines[0]?.upstreamRequests).toHaveLength(0)
    for (const name of ['transformRequestBody', 'transformResponseBody']) {
      const middleware = { operations: { x: { [name]: part } } }
      const engine = await makeDocumentEngine(documentOf({ paths: { '/x': { get: operation } } }, { middleware }))
      expect((await engine.send('GET', '/d/x')).status, name).toBe(500)
      if (name === 'transformRequestBody') expect(engine.upstreamRequests).toHaveLength(0)
    }
  })
})

const proxyTo = (more: object) => ({ proxy: { listen_path: '/a/', target_url: 'http://u.test', ...more } })
const versioned = (version: object, location: object = { location: 'header', key: 'v' }) => ({
  version_data: { not_versioned: false, default_version: 'v', versions: { v: { name: 'v', ...version } } },
  definition: location,
})
const keyed = { use_keyless: false, auth: { auth_header_name: 'Authorization' } }

/** Parts of a definition outside of its path rules. */
const brokenSettings: Readonly<Record<string, object>> = {
  'a target without a host': proxyTo({ target_url: 'http://' }),
  'a target with an impossible port': proxyTo({ target_url: 'http://u:99999/' }),
  'a target of another scheme': proxyTo({ target_url: 'ftp://u/' }),
  'a target that is no URL': proxyTo({ target_url: ':// x' }),
  'a listed target that is no URL': proxyTo({ enable_load_balancing: true, target_list: ['http://u:99999'] }),
  'a rewrite to an invalid URL': withPaths({ url_rewrites: [{ ...rewrite, rewrite_to: 'http://u:99999/' }] }),
  'a rewrite to an API that does not exist': withPaths({ url_rewrites: [{ ...rewrite, rewrite_to: 'svc://none/' }] }),
  'a target of a version that is no URL': versioned({ override_target: 'http://u:99999/' }),
  'a version in the URL whose pattern is invalid': versioned(
    {},
    { location: 'url', key: 'v', url_versioning_pattern: '(' },
  ),
  'an invalid date of a version': versioned({ expires: 'nonsense' }),
  'an invalid date of the API': { expiration: 'nonsense' },
  'an invalid allowed address': { enable_ip_whitelisting: true, allowed_ips: ['nonsense'] },
  'an invalid blocked address': { enable_ip_blacklisting: true, blacklisted_ips: ['192.0.2.0/24x', '10.0.0.1'] },
  'a GraphQL schema': { graphql: { enabled: true, execution_mode: 'proxyOnly', schema: 'type {' } },
  'a script without its file': { custom_middleware: { driver: 'otto', pre: [{ name: 'x', path: 'no.js' }] } },
  'a response script without its file': { custom_middleware: { driver: 'otto', response: [{ name: 'x', path: 'n' }] } },
  'a script without a driver': { custom_middleware: { post: [{ name: 'x', path: 'no.js' }] } },
  'a bundle that is not loaded': { custom_middleware_bundle: 'x.zip' },
  'a signature without a key': { request_signing: { is_enabled: true, secret: '', key_id: '', algorithm: 'none' } },
  'a signature without its certificate': {
    request_signing: { is_enabled: true, key_id: 'a', algorithm: 'rsa-sha256', certificate_id: 'none' },
  },
  'credentials of an upstream from an invalid URL': {
    upstream_auth: {
      enabled: true,
      oauth: { enabled: true, client_credentials: { token_url: 'none', client_id: 'a', client_secret: 'b' } },
    },
  },
  'an unknown storage of keys': { ...keyed, auth_provider: { name: 'x', storage_engine: 'ldap' } },
  'an invalid key of tokens': { ...keyed, enable_jwt: true, jwt_source: '%', jwt_signing_method: 'rsa' },
  'a client certificate that does not exist': { ...keyed, use_mutual_tls_auth: true, client_certificates: ['none'] },
  'a custom stage that does not exist': { stages: { none: {} } },
  'a rate of a wrong type': { global_rate_limit: { rate: 'x', per: 1 } },
}

describe('a setting of a definition', () => {
  it.each(Object.entries(brokenSettings))('closes the API: %s', async (_, more) => {
    await expectClosed(await makeTestEngine({ definitions: [definitionOf('a', more)] }), '/a/x', '')
  })
})

const operationParts: Readonly<Record<string, object>> = {
  urlRewrite: { pattern: '(', rewriteTo: '/y' },
  transformRequestMethod: { toMethod: 'FETCH' },
  cache: { cacheByRegex: '(' },
  virtualEndpoint: { functionName: 'f', body: '%' },
  postPlugins: [{ enabled: true, functionName: 'F', path: 'f.so' }],
}

describe('a rule of a document', () => {
  const operation = { operationId: 'x', responses: { 200: { description: 'ok' } } }
  const engineOf = (operations: object, paths: object = { '/x': { get: operation } }) =>
    makeDocumentEngine(documentOf({ paths }, { middleware: { operations } }))

  it.each(Object.entries(operationParts))('closes its operation: %s', async (name, part) => {
    const engine = await engineOf({ x: { [name]: Array.isArray(part) ? part : { enabled: true, ...part } } })
    await expectClosed(engine, '/d/x', name)
  })

  it('closes its operation: a trigger', async () => {
    const rules = [{ in: 'header', name: 'a', pattern: '(' }]
    const triggers = [{ condition: 'any', rewriteTo: '/z', rules }]
    const engine = await engineOf({ x: { urlRewrite: { enabled: true, pattern: '.*', rewriteTo: '/y', triggers } } })
    await expectClosed(engine, '/d/x', 'trigger')
  })

  it.each(['block', 'transformRequestHeaders', 'requestSizeLimit', 'trackEndpoint', 'rateLimit'])(
    'closes its version if the path is no pattern: %s',
    async (name) => {
      const engine = await engineOf({ x: { [name]: { enabled: true } } }, { '/x(': { get: operation } })
      await expectClosed(engine, '/d/x', name)
    },
  )

  it.each([
    { type: 'none' },
    { enum: 'x' },
    { multipleOf: 0 },
    { maximum: 'x' },
    { pattern: '(' },
    { $ref: '#/none' },
    { allOf: [{ type: 'none' }] },
  ])('rejects every value of a parameter with the schema %j', async (schema) => {
    const parameters = [{ name: 'q', in: 'query', schema }]
    const paths = { '/x': { get: { ...operation, parameters } } }
    const engine = await engineOf({ x: { validateRequest: { enabled: true } } }, paths)
    await expectClosed(engine, '/d/x?q=1', 'q')
  })
})

describe('a script of a document that cannot run', () => {
  const entries = [{ enabled: true, functionName: 'guard', path: 'no.js' }]
  it.each([
    ['prePlugins', 'prePlugin'],
    ['postAuthenticationPlugins', 'postAuthenticationPlugin'],
    ['postPlugins', 'postPlugin'],
    ['responsePlugins', 'responsePlugin'],
  ])('closes the API, in the newer and the older form: %s', async (plugins, older) => {
    const forms = [{ [plugins]: entries }, { [older]: { plugins: entries } }]
    for (const global of [...forms, { [plugins]: [], [older]: { plugins: entries } }]) {
      for (const pluginConfig of [{}, { driver: 'otto' }, { driver: 'goplugin' }]) {
        const engine = await makeDocumentEngine(documentOf({}, { middleware: { global: { ...global, pluginConfig } } }))
        await expectClosed(engine, '/d/x', plugins)
      }
    }
  })
})

describe('a path in the rights of a key that is no pattern', () => {
  const limit = { rate: 10, per: 1 }
  it.each([
    ['allowed_urls', [{ url: '/x(', methods: ['GET'] }]],
    ['endpoints', [{ path: '/x(', methods: [{ name: 'GET', limit }] }]],
    ['restricted_types', 'Query'],
  ])('closes what it guards: %s', async (list, value) => {
    const graphql = { enabled: true, execution_mode: 'proxyOnly', schema: 'type Query { a: String }' }
    const more = { use_keyless: false, auth: { auth_header_name: 'Authorization' } }
    const definition = definitionOf('a', list === 'restricted_types' ? { ...more, graphql } : more)
    const test = await makeTestEngine({ definitions: [definition] })
    await test.putKey('org1abcd', { org_id: 'org1', access_rights: { a: { api_id: 'a', [list]: value } } })
    const query = list === 'restricted_types' ? '?query=%7Ba%7D' : ''
    const { status } = await test.send('GET', `/a/x${query}`, { authorization: 'abcd' })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(test.upstreamRequests).toHaveLength(0)
  })
})
