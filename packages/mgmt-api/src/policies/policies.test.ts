import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway } from '../../test/test-gateway.ts'

const apis = [keyedApi('a')]
const gold = { id: 'gold', org_id: 'org1', quota_max: 3, access_rights: { a: { api_id: 'a', versions: ['Default'] } } }
const message = (said: { json: unknown }) => (said.json as { message?: string }).message

describe('policies over the management API', () => {
  it('are written to a file and take effect at the next reload', async () => {
    const gateway = await makeTestGateway({ apis })
    expect((await gateway.call('POST', '/svc/policies/passed-over', gold)).json).toEqual({
      key: 'gold',
      status: 'ok',
      action: 'added',
    })
    expect((await gateway.call('GET', '/svc/policies/gold')).status).toBe(404)
    await gateway.call('GET', '/svc/reload?block=true')
    expect((await gateway.call('GET', '/svc/policies/gold')).json).toMatchObject({ ...gold, tags: null, name: '' })
    expect(((await gateway.call('GET', '/svc/policies')).json as object[]).length).toBe(1)

    expect((await gateway.call('PUT', '/svc/policies/gold', { ...gold, quota_max: 4 })).json).toMatchObject({
      action: 'modified',
    })
    expect((await gateway.call('DELETE', '/svc/policies/gold')).json).toMatchObject({ action: 'deleted' })
    expect((await gateway.call('GET', '/svc/policies/gold')).json).toMatchObject({ quota_max: 3 })
    await gateway.call('GET', '/svc/reload?block=true')
    expect((await gateway.call('GET', '/svc/policies')).text).toBe('[]\n')
  })

  it('are checked in this order: body, signs of the id, id of the path, id at all, MCP fields', async () => {
    const gateway = await makeTestGateway({ apis })
    const mcp = { id: 'm', access_rights: { a: { mcp_primitives: [{ type: 'tool' }] } } }
    expect(message(await gateway.call('POST', '/svc/policies', '['))).toBe('Request malformed')
    expect(message(await gateway.call('PUT', '/svc/policies/x', { id: 'a b' }))).toBe(
      'Invalid Policy ID: Allowed characters: a-z, A-Z, 0-9, ., _, -, ~',
    )
    for (const body of [{ id: 'other' }, {}]) {
      expect(message(await gateway.call('PUT', '/svc/policies/x', body))).toBe(
        'Request ID does not match that in policy! For Update operations these must match.',
      )
    }
    expect(message(await gateway.call('POST', '/svc/policies', {}))).toBe('Unable to create policy without id.')
    expect(message(await gateway.call('POST', '/svc/policies', mcp))).toMatch(/^MCP fields can only be configured/)
    expect(gateway.files.has('policies/m.json')).toBe(false)
  })

  it.each(['../evil', '..', 'a/b', 'a\\b', '%2e%2e', 'x\u0000'])('never lead out of their folder: %j', async (id) => {
    const gateway = await makeTestGateway({ apis, options: { unsafePolicyIds: true } })
    const before = [...gateway.files.keys()]
    expect((await gateway.call('POST', '/svc/policies', { id })).status).toBe(400)
    expect((await gateway.call('DELETE', `/svc/policies/${encodeURIComponent(id)}`)).status).not.toBe(200)
    expect([...gateway.files.keys()]).toEqual(before)
  })

  it('may have other signs in their id where that is allowed', async () => {
    const gateway = await makeTestGateway({ apis, options: { unsafePolicyIds: true } })
    expect((await gateway.call('POST', '/svc/policies', { id: 'zwölf @ 1' })).status).toBe(200)
  })

  it('must be named to be changed or removed', async () => {
    const gateway = await makeTestGateway({ apis })
    expect(await gateway.call('PUT', '/svc/policies', gold)).toMatchObject({
      status: 400,
      json: { message: 'Must specify an apiID to update' },
    })
    expect(await gateway.call('DELETE', '/svc/policies')).toMatchObject({
      status: 400,
      json: { message: 'Must specify an apiID to delete' },
    })
    expect(await gateway.call('DELETE', '/svc/policies/ghost')).toMatchObject({
      status: 500,
      json: { message: 'Delete failed' },
    })
  })

  it('are a dashboard’s matter with policy_source service', async () => {
    const gateway = await makeTestGateway({ apis, options: { policiesByService: true } })
    for (const [method, path] of [
      ['POST', '/svc/policies'],
      ['PUT', '/svc/policies/gold'],
      ['DELETE', '/svc/policies/gold'],
    ] as const) {
      const said = await gateway.call(method, path, method === 'DELETE' ? undefined : gold)
      expect(said.status).toBe(500)
      expect(message(said)).toBe('Due to enabled service policy source, please use the Dashboard API')
    }
  })

  it('that cannot be written are an error, and the log has the reason', async () => {
    const broken = () => Promise.reject(new Error('disk full'))
    const files = {
      readDefinition: async () => undefined,
      writeDefinition: broken,
      removeDefinition: broken,
      writePolicy: broken,
      removePolicy: broken,
    }
    const gateway = await makeTestGateway({ apis, management: { files } })
    expect(message(await gateway.call('POST', '/svc/policies', gold))).toBe('Failed to create file!')
    const missing = () => Promise.reject(Object.assign(new Error('no such file or directory'), { code: 'ENOENT' }))
    const other = await makeTestGateway({ apis, management: { files: { ...files, writePolicy: missing } } })
    expect(message(await other.call('PUT', '/svc/policies/gold', gold))).toBe('Unable to access policy storage.')
    expect(message(await gateway.call('DELETE', '/svc/policies/gold'))).toBe('Delete failed')
    expect(message(await gateway.call('POST', '/svc/apis', { api_id: 'x' }))).toBe('Failed to create file!')
    expect(message(await gateway.call('DELETE', '/svc/apis/a'))).toBe('Delete failed')
    expect(gateway.log.mentions('disk full')).toBe(true)
  })
})
