import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway, type TestGateway } from '../../test/test-gateway.ts'

const message = (said: { json: unknown }) => (said.json as { message?: string }).message
const reload = (gateway: TestGateway) => gateway.call('GET', '/svc/reload?block=true')

const documentOf = (id: string, more: object = {}) => ({
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  paths: { '/pets': { get: { operationId: 'list', responses: { 200: { description: 'ok' } } } } },
  'x-svc-api-gateway': {
    info: { id, name: id, orgId: 'org1', state: { active: true } },
    server: { listenPath: { value: `/${id}/`, strip: true } },
    upstream: { url: 'http://upstream.test' },
  },
  ...more,
})

describe('PUT /svc/apis/oas/{id}', () => {
  it('compares the ids before it validates the definition', async () => {
    const gateway = await makeTestGateway()
    await gateway.call('POST', '/svc/apis/oas', documentOf('a'))
    await reload(gateway)
    const upstream = { loadBalancing: { enabled: true, targets: [{ url: 'http://a.test', weight: 1 }] } }
    const blocked = { enabled: true, allow: ['nowhere'] }
    const invalid = (id: string) =>
      documentOf(id, {
        'x-svc-api-gateway': {
          info: { id, name: id, state: { active: true } },
          server: { listenPath: { value: '/a/' }, ipAccessControl: blocked },
          upstream,
        },
      })
    expect(message(await gateway.call('PUT', '/svc/apis/oas/a', invalid('b')))).toContain('these must match.')
    expect(message(await gateway.call('PUT', '/svc/apis/oas/a', invalid('a')))).toBe(
      'Validation of API Definition failed. Reason: invalid IP/CIDR "nowhere".',
    )
  })
})

describe('POST /svc/apis/oas', () => {
  it('writes the document and its classic form, which is served after a reload', async () => {
    const gateway = await makeTestGateway()
    const said = await gateway.call('POST', '/svc/apis/oas', documentOf('a'))
    expect(said.json).toEqual({ key: 'a', status: 'ok', action: 'added' })
    expect(JSON.parse(gateway.files.get('apps/a.json') ?? '')).toMatchObject({ is_oas: true, use_keyless: true })
    expect(JSON.parse(gateway.files.get('apps/a-oas.json') ?? '')).toMatchObject({
      servers: [{ url: 'http://gateway.test/a' }, { url: '/a' }],
    })
    expect(await gateway.ask('/a/pets')).toBe(404)
    await reload(gateway)
    expect(await gateway.ask('/a/pets')).toBe(200)
  })

  it.each([
    ['that its aliases expand', `a: &a ${'x'.repeat(100_000)}\nb: [${'*a, '.repeat(200)}*a]`],
    ['with a syntax error', 'openapi: 3.0.3\ninfo: [\n'],
  ])('rejects YAML %s', async (_, yaml) => {
    const gateway = await makeTestGateway()
    expect(await gateway.call('POST', '/svc/apis/oas', yaml)).toMatchObject({ status: 400 })
  })

  it('takes 1.5 MB of YAML with merge keys and unquoted versions', async () => {
    const gateway = await makeTestGateway()
    const response = '{ responses: { "200": { description: "a response whose description is as long as usual" } } }'
    const paths = Array.from(
      { length: 9000 },
      (_, i) =>
        `  /things/${i}:\n    get:\n      <<: *one\n      summary: the summary of the operation number ${i}, as long as usual\n      operationId: get${i}\n`,
    )
    const yaml = `openapi: 3.0.3\ninfo: { title: long, version: 1.0 }\nservers: [{ url: "http://upstream.test" }]\nx-one: &one ${response}\npaths:\n${paths.join('')}`
    expect(yaml.length).toBeGreaterThan(1_000_000)
    const said = await gateway.call('POST', '/svc/apis/oas/import', yaml)
    expect(said.json).toMatchObject({ status: 'ok', action: 'added' })
  })

  it.each([
    [
      '/svc/apis',
      { api_definition: { api_id: 'a' } },
      /is an export of a dashboard.*send the value of "api_definition"/,
    ],
    ['/svc/apis', { oas: documentOf('a') }, /send the value of "oas" to the endpoint of OpenAPI documents/],
    ['/svc/apis/oas', { oas: documentOf('a') }, /send the value of "oas"/],
    ['/svc/apis/oas/import', { oas: documentOf('a') }, /send the value of "oas"/],
    ['/svc/apis', { apis: [] }, /send each entry of "apis" on its own/],
    ['/svc/apis', { id: 'p', quota_max: 1 }, /is a policy, not a definition/],
    ['/svc/apis', { apiVersion: 'v1', kind: 'ConfigMap' }, /is a resource of the Kubernetes operator/],
    ['/svc/policies', { Data: [{ id: 'p', quota_max: 1 }] }, /send each entry of "Data"/],
    ['/svc/apis', [{ api_id: 'a' }], /the body is a list; send each entry on its own/],
    ['/svc/apis/oas', [documentOf('a')], /the body is a list; send each entry on its own/],
    ['/svc/policies', [{ id: 'p', quota_max: 1 }], /the body is a list; send each entry on its own/],
    ['/svc/policies', { gold: { quota_max: 1 } }, /contains policies by their ids; send each of them on its own/],
    ['/svc/policies', { policies: { gold: { quota_max: 1 } } }, /contains policies by their ids; send each of them/],
    ['/svc/apis', { openapi: '3.0.3', 'x-other-api-gateway': {} }, /the vendor word of this gateway is "svc"/],
    [
      '/svc/apis/oas',
      { ...documentOf('a'), 'x-svc-api-gateway': undefined, 'x-other-api-gateway': {} },
      /x-other-api-gateway, but the vendor word of this gateway is "svc"/,
    ],
  ])('rejects at %s what an owner has: %j', async (path, body, message) => {
    const gateway = await makeTestGateway()
    const said = await gateway.call('POST', path, body)
    expect(said.status).toBe(400)
    expect((said.json as { message: string }).message).toMatch(message)
    expect([...gateway.files.keys()]).toEqual([])
  })

  it('takes YAML as well', async () => {
    const gateway = await makeTestGateway()
    const yaml = `
openapi: 3.1.0
info: { title: y, version: "1" }
paths: {}
x-svc-api-gateway:
  info: { id: y, name: y, state: { active: true } }
  server: { listenPath: { value: /y/ } }
  upstream: { url: http://upstream.test }
`
    expect((await gateway.call('POST', '/svc/apis/oas', yaml)).json).toMatchObject({ key: 'y' })
  })

  it.each([
    ['{', 'request malformed'],
    ['[]', 'request malformed'],
    ['', 'the payload should contain x-svc-api-gateway'],
    ['a: &a [*a, *a]', 'request malformed'],
    [JSON.stringify(documentOf('../evil')), 'Invalid API ID'],
    [JSON.stringify(documentOf('a', { openapi: 3 })), 'request malformed'],
    [JSON.stringify(documentOf('a', { info: 'Pets' })), 'request malformed'],
    [JSON.stringify(documentOf('a', { paths: [] })), 'request malformed'],
    [JSON.stringify(documentOf('a', { paths: null })), 'paths: Invalid type. Expected: object, given: null'],
  ])('rejects %j: %s', async (body, told) => {
    const gateway = await makeTestGateway()
    const said = await gateway.call('POST', '/svc/apis/oas', body)
    expect([said.status, message(said)]).toEqual([400, told])
    expect(gateway.files.size).toBe(0)
  })
})

describe('a loaded document', () => {
  it('is shown with sorted names, empty components and no newline', async () => {
    const gateway = await makeTestGateway()
    await gateway.call('POST', '/svc/apis/oas', documentOf('a'))
    await reload(gateway)
    const { text, json } = await gateway.call('GET', '/svc/apis/oas/a')
    expect(text).toMatch(/^\{"components":\{\},"info":.*\}$/)
    expect(await gateway.call('GET', '/svc/apis/oas')).toMatchObject({ json: [json] })
  })

  it('is exported without its extension for the public', async () => {
    const gateway = await makeTestGateway()
    await gateway.call('POST', '/svc/apis/oas', documentOf('a'))
    await reload(gateway)
    const { headers, text } = await gateway.call('GET', '/svc/apis/oas/a/export?mode=public')
    expect(headers.get('content-disposition')).toBe('attachment;filename="oas-a.json"')
    expect(JSON.parse(text)).not.toHaveProperty('x-svc-api-gateway')
  })

  it('is replaced with new addresses in place of the old ones, and deleted with both files', async () => {
    const gateway = await makeTestGateway()
    await gateway.call('POST', '/svc/apis/oas', documentOf('a', { servers: [{ url: 'http://mine.test' }] }))
    await reload(gateway)
    const { json } = await gateway.call('GET', '/svc/apis/oas/a')
    const text = JSON.stringify(json).replace('"value":"/a/"', '"value":"/b/"')
    expect((await gateway.call('PUT', '/svc/apis/oas/a', text)).json).toMatchObject({ action: 'modified' })
    expect(JSON.parse(gateway.files.get('apps/a-oas.json') ?? '').servers).toEqual([
      { url: 'http://gateway.test/b' },
      { url: '/b' },
      { url: 'http://mine.test' },
    ])
    expect((await gateway.call('DELETE', '/svc/apis/oas/a')).json).toMatchObject({ action: 'deleted' })
    expect(gateway.files.size).toBe(0)
  })

  it('cannot be written over a classic definition', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('c')] })
    expect(message(await gateway.call('PUT', '/svc/apis/oas/c', documentOf('c')))).toBe(
      'the supplied API definition is in OAS format, please use the Svc classic format for this API',
    )
  })
})

describe('a document that refers to secrets', () => {
  const secret = (_: string, name: string) => (name === 'db' ? 's3cr3t' : undefined)
  const withSecrets = () => {
    const document = documentOf('a', { 'x-note': 'env://db' })
    const extension = document['x-svc-api-gateway']
    return {
      ...document,
      'x-svc-api-gateway': { ...extension, upstream: { url: 'http://upstream.test/secrets://db' } },
    }
  }

  it('is shown, exported and written back with the references, and served with the values', async () => {
    const gateway = await makeTestGateway({ secret })
    await gateway.call('POST', '/svc/apis/oas', withSecrets())
    await reload(gateway)
    const { json, text } = await gateway.call('GET', '/svc/apis/oas/a')
    const shown = json as ReturnType<typeof withSecrets> & { 'x-note': string }
    expect(shown['x-note']).toBe('env://db')
    expect(shown['x-svc-api-gateway'].upstream.url).toBe('http://upstream.test/secrets://db')
    for (const path of ['/svc/apis/oas', '/svc/apis/oas/a/export', '/svc/apis/a']) {
      expect((await gateway.call('GET', path)).text).not.toContain('s3cr3t')
    }
    expect((await gateway.call('PUT', '/svc/apis/oas/a', text)).status).toBe(200)
    expect([...gateway.files.values()].join()).not.toContain('s3cr3t')
    await gateway.ask('/a/pets')
    expect(gateway.upstream.requests.at(-1)?.path).toContain('/s3cr3t')
  })

  it('loses the servers of its old listen path, which is a reference too', async () => {
    const gateway = await makeTestGateway({ secret })
    const withListenPath = (value: string, servers: readonly unknown[]) => {
      const document = documentOf('a', { servers })
      const extension = { ...document['x-svc-api-gateway'], server: { listenPath: { value, strip: true } } }
      return { ...document, 'x-svc-api-gateway': extension }
    }
    const serversOnDisk = () =>
      (JSON.parse(gateway.files.get('apps/a-oas.json') ?? '') as { servers: unknown[] }).servers
    await gateway.call('POST', '/svc/apis/oas', withListenPath('/secrets://db/', []))
    const servers = serversOnDisk()
    expect(servers).toContainEqual({ url: '/secrets://db' })
    await reload(gateway)
    await gateway.call('PUT', '/svc/apis/oas/a', withListenPath('/new/', servers))
    expect(serversOnDisk()).toEqual([{ url: 'http://gateway.test/new' }, { url: '/new' }])
  })
})
