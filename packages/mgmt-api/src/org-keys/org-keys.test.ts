import { describe, expect, it } from 'vitest'
import { keyedApi, makeTestGateway } from '../../test/test-gateway.ts'

const apis = [keyedApi('a')]

describe('sessions of organisations', () => {
  it('are stored and replaced by POST and PUT alike', async () => {
    const gateway = await makeTestGateway({ apis })
    const limits = { quota_max: 10, quota_renewal_rate: 60, rate: 5, per: 2 }
    expect((await gateway.call('PUT', '/svc/org/keys/org1', limits)).json).toEqual({
      key: 'org1',
      status: 'ok',
      action: 'modified',
    })
    expect((await gateway.call('GET', '/svc/org/keys/org1')).json).toEqual({ ...limits, last_updated: '1767225600' })
    expect((await gateway.call('POST', '/svc/org/keys/org1', {})).json).toMatchObject({ action: 'added' })
    expect((await gateway.call('GET', '/svc/org/keys/org1')).json).toEqual({ last_updated: '1767225600' })
  })

  it('take effect at once, and so does their removal', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a', { use_keyless: true })] })
    expect(await gateway.ask('/a/x')).toBe(200)
    await gateway.call('POST', '/svc/org/keys/org1', { is_inactive: true })
    expect(await gateway.ask('/a/x')).toBe(403)
    await gateway.call('DELETE', '/svc/org/keys/org1')
    expect(await gateway.ask('/a/x')).toBe(200)
  })

  it('keep their count unless reset_quota=1', async () => {
    const gateway = await makeTestGateway({ apis: [keyedApi('a', { use_keyless: true })] })
    const limits = { quota_max: 1, quota_renewal_rate: 3600 }
    await gateway.call('POST', '/svc/org/keys/org1', limits)
    expect([await gateway.ask('/a/x'), await gateway.ask('/a/x')]).toEqual([200, 403])
    await gateway.call('PUT', '/svc/org/keys/org1', limits)
    expect(await gateway.ask('/a/x')).toBe(403)
    await gateway.call('PUT', '/svc/org/keys/org1?reset_quota=1', limits)
    expect((await gateway.call('GET', '/svc/org/keys/org1')).json).toMatchObject({ quota_renews: 1_767_229_200 })
    expect(await gateway.ask('/a/x')).toBe(200)
  })

  it('are listed by the beginning of their id', async () => {
    const gateway = await makeTestGateway({ apis })
    for (const org of ['one', 'two', 'onward']) await gateway.call('POST', `/svc/org/keys/${org}`, {})
    expect((await gateway.call('GET', '/svc/org/keys?filter=on')).json).toEqual({ keys: ['one', 'onward'] })
  })

  it('that do not exist', async () => {
    const gateway = await makeTestGateway({ apis })
    expect(await gateway.call('GET', '/svc/org/keys/x')).toMatchObject({
      status: 404,
      json: { message: 'Org not found' },
    })
    expect(await gateway.call('DELETE', '/svc/org/keys/x')).toMatchObject({
      status: 400,
      json: { message: 'Failed to remove the key' },
    })
    expect((await gateway.call('POST', '/svc/org/keys', {})).status).toBe(405)
  })

  it('are nobody’s while no API is loaded', async () => {
    const gateway = await makeTestGateway({ options: { suppressDefaultOrgStore: true } })
    const said = async (method: string, path: string, body?: unknown) => {
      const { status, json } = await gateway.call(method, path, body)
      return [status, (json as { message: string }).message]
    }
    expect(await said('GET', '/svc/org/keys/org1')).toEqual([404, 'Org not found'])
    expect(await said('DELETE', '/svc/org/keys/org1')).toEqual([404, 'Org not found'])
    expect(await said('GET', '/svc/org/keys')).toEqual([404, 'ORG not found'])
    expect(await said('POST', '/svc/org/keys/org1', {})).toEqual([404, 'No such organisation found in Active API list'])
    expect(await said('POST', '/svc/org/keys/org1', '{')).toEqual([400, 'Request malformed'])
  })

  it('are stored without any API where that is not suppressed', async () => {
    const gateway = await makeTestGateway()
    expect((await gateway.call('POST', '/svc/org/keys/org1', {})).status).toBe(200)
  })
})
