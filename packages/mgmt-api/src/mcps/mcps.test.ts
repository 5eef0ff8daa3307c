import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway, type TestGateway } from '../../test/test-gateway.ts'

const message = (said: { json: unknown }) => (said.json as { message?: string }).message
const reload = (gateway: TestGateway) => gateway.call('GET', '/svc/reload?block=true')

const documentOf = (id: string, middleware: object = {}, more: object = {}) => ({
  openapi: '3.0.3',
  info: { title: 'Tools', version: '1' },
  paths: {},
  'x-svc-api-gateway': {
    info: { id, name: id, orgId: 'org1', state: { active: true } },
    server: { listenPath: { value: `/${id}/`, strip: true } },
    upstream: { url: 'http://upstream.test/mcp' },
    middleware,
  },
  ...more,
})

describe('POST /svc/mcps', () => {
  it('writes the document and its classic form, with the kind of API set by the gateway', async () => {
    const gateway = await makeTestGateway()
    const block = { enabled: true }
    const said = await gateway.call('POST', '/svc/mcps', documentOf('m', { mcpTools: { danger: { block } } }))
    expect(said.json).toEqual({ key: 'm', status: 'ok', action: 'added' })
    expect([...gateway.files.keys()].toSorted()).toEqual(['apps/m-mcp.json', 'apps/m.json'])
    expect(JSON.parse(gateway.files.get('apps/m.json') ?? '')).toMatchObject({
      is_oas: true,
      application_protocol: 'mcp',
      json_rpc_version: '2.0',
    })
    expect(gateway.files.get('apps/m.json')).not.toContain('danger')
    expect(gateway.files.get('apps/m-mcp.json')).toContain('danger')
  })

  it('rejects a rule of a tool with a wrong type', async () => {
    const gateway = await makeTestGateway()
    const enforceTimeout = { enabled: true, value: 1.5 }
    const said = await gateway.call('POST', '/svc/mcps', documentOf('m', { mcpTools: { slow: { enforceTimeout } } }))
    expect([said.status, message(said)]).toEqual([400, expect.stringContaining('timeout')])
  })

  it('makes a version of a proxy', async () => {
    const gateway = await makeTestGateway()
    await gateway.call('POST', '/svc/mcps', documentOf('base'))
    await reload(gateway)
    const path = '/svc/mcps?base_api_id=base&base_api_version_name=v1&new_version_name=v2'
    expect((await gateway.call('POST', path, documentOf('child'))).json).toMatchObject({ action: 'added' })
    await reload(gateway)
    expect((await gateway.call('GET', '/svc/mcps/child')).headers.get('x-svc-base-api-id')).toBe('base')
  })

  it.each([
    ['{', 'request malformed'],
    ['[]', 'request malformed'],
    ['', 'the payload should contain x-svc-api-gateway'],
    ['openapi: 3.0.3\npaths: {}\n', 'the payload should contain x-svc-api-gateway'],
    ['openapi: abc\nx-svc-api-gateway: {}\n', 'malformed version: abc'],
    ['openapi: 3.0.3\nx-svc-api-gateway: {}\n', "invalid character 'o' looking for beginning of value"],
    [JSON.stringify(documentOf('m', {}, { openapi: '3.2.0' })), 'schema not found for version "3.2.0"'],
    [JSON.stringify(documentOf('m', {}, { paths: undefined })), '(root): paths is required'],
    [JSON.stringify(documentOf('m', {}, { foo: 1 })), '(root): Additional property foo is not allowed'],
    [
      JSON.stringify(documentOf('m', { mcpPrompts: [] })),
      'x-svc-api-gateway.middleware.mcpPrompts: Invalid type. Expected: object, given: array',
    ],
    [
      JSON.stringify(documentOf('m', { mcpResources: { 'file:///*': { allow: {} } } })),
      'x-svc-api-gateway.middleware.mcpResources.file:///*.allow: enabled is required',
    ],
    [JSON.stringify(documentOf('../evil')), 'Invalid API ID'],
  ])('rejects %j: %s', async (body, told) => {
    const gateway = await makeTestGateway()
    const said = await gateway.call('POST', '/svc/mcps', body)
    expect([said.status, message(said)]).toEqual([400, told])
    expect(gateway.files.size).toBe(0)
  })

  it('accepts metadata that are left to the upstream', async () => {
    const gateway = await makeTestGateway()
    const document = documentOf('m')
    const authentication = { enabled: true, protectedResourceMetadata: { enabled: true } }
    const extension = document['x-svc-api-gateway']
    const given = {
      ...document,
      'x-svc-api-gateway': { ...extension, server: { ...extension.server, authentication } },
    }
    expect((await gateway.call('POST', '/svc/mcps', given)).status).toBe(200)
  })

  it.each(['batchProcessing', 'toString', '__proto__'])('takes a document with %s without harm', async (name) => {
    const gateway = await makeTestGateway()
    const text = JSON.stringify(documentOf('m', { mcpTools: { NAME: { block: { enabled: true } } } })).replace(
      'NAME',
      name,
    )
    expect((await gateway.call('POST', '/svc/mcps', text)).status).toBe(200)
    await reload(gateway)
    expect((await gateway.call('GET', '/svc/mcps/m')).status).toBe(200)
  })
})

describe('a loaded proxy', () => {
  const loaded = async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('c')] })
    await gateway.call('POST', '/svc/mcps', documentOf('m'))
    await reload(gateway)
    return gateway
  }

  it('is listed and read as a document, and as its classic form', async () => {
    const gateway = await loaded()
    const read = await gateway.call('GET', '/svc/mcps/m')
    expect(read.text).toMatch(/^\{"components":\{\},"info":.*\}$/)
    expect((await gateway.call('GET', '/svc/mcps')).json).toEqual([read.json])
    expect((await gateway.call('GET', '/svc/apis/oas/m')).json).toEqual(read.json)
    expect((await gateway.call('GET', '/svc/apis/m')).json).toMatchObject({ api_id: 'm', application_protocol: 'mcp' })
  })

  it('is replaced and removed with both files', async () => {
    const gateway = await loaded()
    const other = documentOf('m', { mcpTools: { t: { allow: { enabled: true } } } })
    expect((await gateway.call('PUT', '/svc/mcps/m', other)).json).toMatchObject({ action: 'modified' })
    expect(gateway.files.get('apps/m-mcp.json')).toContain('"t"')
    expect(message(await gateway.call('PUT', '/svc/mcps/m', documentOf('n')))).toBe(
      'Request APIID does not match that in Definition! For Update operations these must match.',
    )
    expect((await gateway.call('DELETE', '/svc/mcps/m')).json).toMatchObject({ action: 'deleted' })
    expect([...gateway.files.keys()].filter((name) => name.includes('/m'))).toEqual([])
  })

  it('is not removed, changed or patched as an API of another kind', async () => {
    const gateway = await loaded()
    const before = [...gateway.files]
    for (const path of ['/svc/apis/m', '/svc/apis/oas/m']) {
      const said = await gateway.call('DELETE', path)
      expect([said.status, message(said)]).toEqual([500, 'Delete failed'])
    }
    expect((await gateway.call('PUT', '/svc/apis/oas/m', documentOf('m'))).status).toBe(404)
    expect([...gateway.files]).toEqual(before)
  })

  it.each(['GET', 'PUT', 'DELETE'])('is what %s is about: another API, or none, is 404', async (method) => {
    const gateway = await loaded()
    const body = method === 'PUT' ? documentOf('c') : undefined
    expect(message(await gateway.call(method, '/svc/mcps/c', body))).toBe('API is not an MCP Proxy')
    expect(message(await gateway.call(method, '/svc/mcps/unknown', body))).toBe('API not found')
  })

  it('knows no other methods', async () => {
    const gateway = await loaded()
    expect((await gateway.call('PATCH', '/svc/mcps/m', {})).status).toBe(405)
    expect((await gateway.call('DELETE', '/svc/mcps')).status).toBe(405)
  })
})
