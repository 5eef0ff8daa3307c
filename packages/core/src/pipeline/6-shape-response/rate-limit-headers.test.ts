import { describe, expect, it } from 'vitest'
import { definitionOf, makeTestEngine, type TestEngineOptions } from '../../../test/support/test-engine.ts'
import { plainSettings } from '../../../test/support/test-settings.ts'
import { type HeaderPairs, headerOf } from '../../http/headers.ts'

const keyed = definitionOf('k', { use_keyless: false, auth: { auth_header_name: 'Authorization' } })
const rights = { org_id: 'org1', access_rights: { k: { api_id: 'k' } } }
const limits = (headers: HeaderPairs) =>
  ['limit', 'remaining', 'reset'].map((name) => headerOf(headers, `x-ratelimit-${name}`))
const withHeaders = (headers: Partial<typeof plainSettings.headers>): TestEngineOptions => ({
  definitions: [keyed, definitionOf('open')],
  settings: { headers: { ...plainSettings.headers, ...headers } },
})
const now = Date.UTC(2026, 0, 1) / 1000

describe('X-RateLimit headers with quotas', () => {
  it('are zeros without a key, and replace those of the upstream', async () => {
    const test = await makeTestEngine({
      ...withHeaders({}),
      upstream: async () => ({
        kind: 'response',
        status: 200,
        headers: ['x-ratelimit-limit', '9'],
        body: undefined,
        bodyLength: 0,
      }),
    })
    expect(limits((await test.send('GET', '/open/x')).headers)).toEqual(['0', '0', '0'])
  })

  it('contain the quota, the remaining requests and the renewal', async () => {
    const test = await makeTestEngine(withHeaders({}))
    await test.putKey('org1abcd', { ...rights, quota_max: 5, quota_renewal_rate: 60 })
    const response = await test.send('GET', '/k/x', { authorization: 'abcd' })
    expect(limits(response.headers)).toEqual(['5', '4', String(now + 60)])
  })

  it('report the stored numbers of a key whose quota is not counted', async () => {
    const off = definitionOf('off', { use_keyless: false, disable_quota: true })
    const test = await makeTestEngine({ ...withHeaders({}), definitions: [keyed, off] })
    const access_rights = { ...rights.access_rights, off: { api_id: 'off' } }
    await test.putKey('org1free', { ...rights, quota_max: -1, quota_remaining: 12, quota_renews: 77 })
    const stored = { quota_max: 5, quota_remaining: 4, quota_renews: 78, quota_renewal_rate: 60 }
    await test.putKey('org1paid', { ...rights, access_rights, ...stored })
    for (let i = 0; i < 2; i++) {
      const free = await test.send('GET', '/k/x', { authorization: 'free' })
      expect(limits(free.headers)).toEqual(['-1', '12', '77'])
      const paid = await test.send('GET', '/off/x', { authorization: 'paid' })
      expect(limits(paid.headers)).toEqual(['5', '4', '78'])
    }
  })

  it('report what the other APIs of the key counted, on an API with disable_quota', async () => {
    const off = definitionOf('off', { use_keyless: false, disable_quota: true, disable_rate_limit: true })
    const test = await makeTestEngine({ ...withHeaders({}), definitions: [keyed, off] })
    const own = { limit: { quota_max: 9, quota_renewal_rate: 60 }, allowance_scope: 'off' }
    const quota = { quota_max: 5, quota_renewal_rate: 60, quota_remaining: 3, quota_renews: 78 }
    await test.putKey('org1abcd', { ...rights, ...quota, access_rights: { k: {}, off: {} } })
    await test.putKey('org1efgh', { ...rights, ...quota, access_rights: { k: {}, off: own } })
    const send = async (path: string, key: string) =>
      limits((await test.send('GET', path, { authorization: key })).headers)
    expect(await send('/off/x', 'abcd')).toEqual(['5', '3', '78'])
    expect(await send('/k/x', 'abcd')).toEqual(['5', '4', String(now + 60)])
    expect(await send('/off/x', 'abcd')).toEqual(['5', '4', String(now + 60)])
    // The entry has a quota of its own, which the other API does not count.
    expect(await send('/k/x', 'efgh')).toEqual(['5', '4', String(now + 60)])
    expect(await send('/off/x', 'efgh')).toEqual(['9', '0', '0'])
  })

  it('report the stored end of a period that never ends', async () => {
    const test = await makeTestEngine(withHeaders({}))
    await test.putKey('org1abcd', { ...rights, quota_max: 5, quota_remaining: 1, quota_renews: 77 })
    const response = await test.send('GET', '/k/x', { authorization: 'abcd' })
    expect(limits(response.headers)).toEqual(['5', '4', '77'])
  })

  it('are not on errors of the gateway', async () => {
    const test = await makeTestEngine(withHeaders({}))
    expect(limits((await test.send('GET', '/k/x')).headers)).toEqual([undefined, undefined, undefined])
  })
})

describe('X-RateLimit headers with rates', () => {
  it('are set on responses and on 429, and missing if no rate was checked', async () => {
    const test = await makeTestEngine(withHeaders({ recorded: 'rate_limits' }))
    await test.putKey('org1abcd', { ...rights, rate: 1, per: 60 })
    const send = () => test.send('GET', '/k/x', { authorization: 'abcd' })
    expect(limits((await send()).headers)).toEqual(['1', '0', String(now + 60)])
    const rejected = await send()
    expect(rejected.status).toBe(429)
    expect(limits(rejected.headers)).toEqual(['1', '0', String(now + 60)])
    expect(limits((await test.send('GET', '/open/x')).headers)).toEqual([undefined, undefined, undefined])
  })
})

describe('the remaining requests of the fixed window', () => {
  const responsesWith = async (ietf: boolean) => {
    const echo = definitionOf('e', {
      use_keyless: false,
      auth: { auth_header_name: 'Authorization' },
      enable_context_vars: true,
      version_data: {
        not_versioned: true,
        versions: { Default: { name: 'Default', global_headers: { 'x-left': '$svc_context.rate_limit_remaining' } } },
      },
    })
    const test = await makeTestEngine({
      definitions: [echo],
      settings: {
        headers: { ...plainSettings.headers, recorded: 'rate_limits', ietf },
        limits: { ...plainSettings.limits, algorithm: 'fixed' },
      },
    })
    await test.putKey('org1abcd', { org_id: 'org1', access_rights: { e: { api_id: 'e' } }, rate: 2, per: 60 })
    const send = async () => (await test.send('GET', '/e/x', { authorization: 'abcd' })).headers
    const seen = [await send(), await send(), await send()]
    const sent = test.upstreamRequests.map(({ headers }) => headerOf(headers, 'x-left'))
    return { remaining: seen.map((headers) => limits(headers)[1]), standard: seen.map(standardOf), sent }
  }
  const standardOf = (headers: HeaderPairs) => headerOf(headers, 'ratelimit')

  it('are 0 as recorded', async () => {
    const { remaining, standard, sent } = await responsesWith(false)
    expect(remaining).toEqual(['0', '0', '0'])
    expect(standard).toEqual([undefined, undefined, undefined])
    expect(sent).toEqual(['0', '0'])
  })

  it('count down with the headers of the IETF draft', async () => {
    const { remaining, standard, sent } = await responsesWith(true)
    expect(remaining).toEqual(['1', '0', '0'])
    expect(standard).toEqual(['"rate";r=1;t=60', '"rate";r=0;t=60', '"rate";r=0;t=60'])
    expect(sent).toEqual(['1', '0'])
  })
})

describe('the RateLimit headers of the IETF draft', () => {
  it('contain each limit in force and its remaining requests', async () => {
    const test = await makeTestEngine(withHeaders({ ietf: true }))
    await test.putKey('org1abcd', { ...rights, rate: 3, per: 10, quota_max: 7, quota_renewal_rate: 3600 })
    const { headers } = await test.send('GET', '/k/x', { authorization: 'abcd' })
    expect(headerOf(headers, 'ratelimit-policy')).toBe('"rate";q=3;w=10, "quota";q=7;w=3600')
    expect(headerOf(headers, 'ratelimit')).toBe('"rate";r=2;t=10, "quota";r=6;t=3600')
    expect(headerOf(headers, 'retry-after')).toBeUndefined()
  })

  it('contain the delay after which a retry is allowed', async () => {
    const test = await makeTestEngine(withHeaders({ ietf: true }))
    await test.putKey('org1abcd', { ...rights, rate: 1, per: 10 })
    const send = () => test.send('GET', '/k/x', { authorization: 'abcd' })
    await send()
    test.advance(4000)
    const rejected = await send()
    expect(rejected.status).toBe(429)
    expect(headerOf(rejected.headers, 'retry-after')).toBe('6')
    test.advance(5000)
    expect((await send()).status).toBe(429)
    test.advance(1000)
    expect((await send()).status).toBe(200)
  })

  it('contain it for an exceeded quota too', async () => {
    const test = await makeTestEngine(withHeaders({ ietf: true }))
    await test.putKey('org1abcd', { ...rights, quota_max: 1, quota_renewal_rate: 60 })
    const send = () => test.send('GET', '/k/x', { authorization: 'abcd' })
    await send()
    const rejected = await send()
    expect(rejected.status).toBe(403)
    expect(headerOf(rejected.headers, 'retry-after')).toBe('60')
  })
})
