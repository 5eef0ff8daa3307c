import { describe, expect, it } from 'vitest'
import { makeTestGateway, type TestGateway } from '../../test/test-gateway.ts'

const message = (said: { json: unknown }) => (said.json as { message?: string }).message
const reload = (gateway: TestGateway) => gateway.call('GET', '/svc/reload?block=true')
const responses = { 200: { description: 'ok' } }
const plain = { openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths: { '/pets': { get: { responses } } } }
const target = 'upstreamURL=http://upstream.test'

describe('POST /svc/apis/oas/import', () => {
  it('makes an API of a plain document; operations without an id get one', async () => {
    const gateway = await makeTestGateway()
    const path = `/svc/apis/oas/import?${target}&listenPath=/i/&apiID=i&allowList=true`
    expect((await gateway.call('POST', path, plain)).json).toEqual({ key: 'i', status: 'ok', action: 'added' })
    await reload(gateway)
    expect([await gateway.ask('/i/pets'), await gateway.ask('/i/other')]).toEqual([200, 403])
  })

  it('requires keys as the schemes of the document say', async () => {
    const gateway = await makeTestGateway()
    const path = `/svc/apis/oas/import?${target}&listenPath=/i/&apiID=i&authentication=true`
    expect(message(await gateway.call('POST', path, plain))).toMatch(/^The ‘security’ object is empty/)
    const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } }
    await gateway.call('POST', path, { ...plain, security: [{ key: [] }], components: { securitySchemes } })
    await reload(gateway)
    expect(await gateway.ask('/i/pets')).toBe(401)
  })

  it('takes the mode of authentication, and all schemes that it needs', async () => {
    const gateway = await makeTestGateway()
    const securitySchemes = {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      login: { type: 'http', scheme: 'basic' },
    }
    const secured = { ...plain, security: [{ key: [] }, { login: [] }], components: { securitySchemes } }
    const path = `/svc/apis/oas/import?${target}&listenPath=/i/&apiID=i&authentication=true&securityProcessingMode=`
    expect(message(await gateway.call('POST', `${path}loose`, secured))).toContain('"legacy", "compliant"')
    await gateway.call('POST', `${path}compliant`, secured)
    expect(JSON.parse(gateway.files.get('apps/i.json') ?? '')).toMatchObject({
      security_requirements: [['key'], ['login']],
      use_standard_auth: true,
      use_basic_auth: true,
    })
  })

  it('wants a target', async () => {
    const gateway = await makeTestGateway()
    expect(message(await gateway.call('POST', '/svc/apis/oas/import', plain))).toMatch(/^The ‘servers’ object is empty/)
  })
})

describe('PATCH /svc/apis/oas/{id}', () => {
  it('keeps the extension and the user’s servers, and drops rules of operations that are gone', async () => {
    const gateway = await makeTestGateway()
    const given = { ...plain, servers: [{ url: 'http://mine.test' }] }
    await gateway.call('POST', `/svc/apis/oas/import?${target}&listenPath=/i/&apiID=i&allowList=true`, given)
    await reload(gateway)
    const next = { ...plain, paths: { '/new': { get: { operationId: 'n', responses } } } }
    expect((await gateway.call('PATCH', '/svc/apis/oas/i', next)).json).toMatchObject({ action: 'modified' })
    const stored = JSON.parse(gateway.files.get('apps/i-oas.json') ?? '')
    expect(stored.servers.at(-1)).toEqual({ url: 'http://mine.test' })
    expect(stored['x-svc-api-gateway']).toMatchObject({
      info: { id: 'i', name: 'Pets' },
      middleware: { operations: {} },
    })
    await reload(gateway)
    expect(await gateway.ask('/i/anything')).toBe(200)
  })
})
