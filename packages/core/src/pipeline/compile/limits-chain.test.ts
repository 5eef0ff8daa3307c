import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'

const keyed = { use_keyless: false, auth: { auth_header_name: 'Authorization' } }
const path = '/orders/svc/rate-limits/'
const key = { authorization: 'abcd' }

async function makeKeyed(session: object, definition: object = {}) {
  const test = await makeTestEngine({ definitions: [definitionOf('orders', { ...keyed, ...definition })] })
  await test.putKey('org1abcd', { org_id: 'org1', access_rights: { orders: { api_id: 'orders' } }, ...session })
  return { ...test, limits: async () => JSON.parse(String((await test.send('GET', path, key)).body)) as unknown }
}

describe('the limits endpoint', () => {
  it('returns rate and quota as stored, then the remaining requests, and consumes nothing itself', async () => {
    const stored = { quota_remaining: 2, quota_renews: 1_800_000_000 }
    const test = await makeKeyed({ rate: 3, per: 60, quota_max: 5, quota_renewal_rate: 3600, ...stored })
    const fresh = {
      quota: { quota_max: 5, quota_remaining: 2, quota_renews: 1_800_000_000 },
      rate_limit: { requests: 3, per_unit: 60 },
    }
    for (let i = 0; i < 5; i++) expect(await test.limits()).toEqual(fresh)
    await test.send('GET', '/orders/x', key)
    const renews = Date.UTC(2026, 0, 1) / 1000 + 3600
    expect(await test.limits()).toMatchObject({ quota: { quota_remaining: 4, quota_renews: renews } })
    expect(test.upstreamRequests).toHaveLength(1)
  })

  it('is served below an id that begins with the listen path', async () => {
    const test = await makeKeyed({ rate: 3, per: 60 }, { proxy: { listen_path: '/ord', target_url: 'http://up.test' } })
    for (const at of [path, '/ord/svc/rate-limits/']) {
      expect(JSON.parse(String((await test.send('GET', at, key)).body))).toMatchObject({ rate_limit: { requests: 3 } })
    }
    expect(test.upstreamRequests).toEqual([])
  })

  it('responds while rate and quota are exceeded', async () => {
    const test = await makeKeyed({ rate: 1, per: 60, quota_max: 1, quota_renewal_rate: 3600 })
    await test.send('GET', '/orders/x', key)
    expect(await test.limits()).toMatchObject({ quota: { quota_remaining: 0 } })
  })

  it('returns the limits of the key even if its entry for the API has other ones', async () => {
    const limit = { rate: 7, per: 8, quota_max: 9, quota_renewal_rate: 10 }
    const own = { rate: 1, per: 2, quota_max: -1, quota_remaining: 33 }
    const right = { api_id: 'orders', limit, allowance_scope: 'orders' }
    const test = await makeKeyed({ ...own, access_rights: { orders: right } })
    await test.send('GET', '/orders/x', key)
    expect(await test.limits()).toEqual({
      quota: { quota_max: -1, quota_remaining: 33, quota_renews: 0 },
      rate_limit: { requests: 1, per_unit: 2 },
    })
  })

  it('requires a key that is active, not expired and has access to the API', async () => {
    const test = await makeKeyed({ is_inactive: true })
    expect(await test.send('GET', path)).toMatchObject({ status: 401 })
    expect(await test.send('GET', path, { authorization: 'nobody' })).toMatchObject({ status: 403 })
    expect(await test.send('GET', path, key)).toMatchObject({ status: 403 })
    await test.putKey('org1abcd', { org_id: 'org1', access_rights: { other: { api_id: 'other' } } })
    expect(await test.send('GET', path, key)).toMatchObject({ status: 403 })
  })

  it('applies the address lists', async () => {
    const test = await makeKeyed({}, { enable_ip_whitelisting: true, allowed_ips: ['10.0.0.1'] })
    expect(await test.send('GET', path, key)).toMatchObject({ status: 403 })
    expect(await test.send('GET', path, { ...key, 'x-real-ip': '10.0.0.1' })).toMatchObject({ status: 200 })
  })

  it('is forwarded to the upstream on a keyless API, and without the trailing slash', async () => {
    const test = await makeTestEngine({ definitions: [definitionOf('orders')] })
    await test.send('GET', path)
    expect(test.upstreamRequests).toHaveLength(1)
    const other = await makeKeyed({})
    await other.send('GET', path.slice(0, -1), key)
    expect(other.upstreamRequests).toHaveLength(1)
  })
})
