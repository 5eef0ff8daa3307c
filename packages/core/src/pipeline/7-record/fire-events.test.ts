import { describe, expect, it } from 'vitest'
import { makeManualClock } from '../../../test/support/manual-clock.ts'
import { definitionOf, makeTestEngine } from '../../../test/support/test-engine.ts'
import { readShape } from '../../lib/shape/shape.ts'
import { utf8Text } from '../../lib/text/utf8.ts'
import type { GatewayEvent } from '../../observability/events/event.ts'
import type { Events } from '../../observability/events/events.ts'
import type { QuotaMonitor } from '../../observability/events/quota-monitor.ts'
import { sessionShape } from '../../ports/session.ts'
import { defaultSettings } from '../../ports/settings.ts'
import { makeMemoryStore } from '../../store-memory/memory-store.ts'

function listener(heard: readonly string[] | 'all' = 'all', monitor?: QuotaMonitor) {
  const fired: GatewayEvent[] = []
  const events: Events = {
    hasHandler: (name) => heard === 'all' || heard.includes(name),
    fire: (event) => fired.push(event),
    monitor,
  }
  return { events, fired }
}

const keyed = (id: string, more: object = {}) =>
  definitionOf(id, {
    use_keyless: false,
    use_standard_auth: true,
    auth: { auth_header_name: 'Authorization' },
    ...more,
  })
const opens = (id: string) => ({ [id]: { api_id: id, api_name: id, versions: ['Default'] } })
const session = (id: string, more: object = {}) => ({
  org_id: 'org1',
  rate: 1000,
  per: 60,
  quota_max: -1,
  access_rights: opens(id),
  ...more,
})

describe('events of a smoothed rate', () => {
  it('say that the allowance went up and down, with the key', async () => {
    const { events, fired } = listener()
    const test = await makeTestEngine({
      definitions: [keyed('a')],
      engine: { events },
      settings: { limits: { ...defaultSettings.limits, algorithm: 'rolling', smoothing: true } },
    })
    const smoothing = { enabled: true, threshold: 2, trigger: 0.5, step: 1, delay: 1 }
    await test.putKey('org1abcd', session('a', { rate: 5, smoothing }))
    const send = () => test.send('GET', '/a/x', { authorization: 'org1abcd' })
    await send()
    await send()
    expect(fired).toEqual([])
    test.advance(1000)
    expect((await send()).status).toBe(200)
    test.advance(61_000)
    await send()
    const facts = { about: 'request', path: '/a/x', origin: '192.0.2.1', key: 'org1abcd', reason: '' }
    expect(fired).toMatchObject([
      { name: 'RateLimitSmoothingUp', facts: { ...facts, message: 'Rate limit increased with smoothing' } },
      { name: 'RateLimitSmoothingDown', facts: { ...facts, message: 'Rate limit decreased with smoothing' } },
    ])
  })
})

describe('the event of a smoothed rate', () => {
  const smoothing = { enabled: true, threshold: 2, trigger: 0.5, step: 1, delay: 1 }
  const rolling = { limits: { ...defaultSettings.limits, algorithm: 'rolling', smoothing: true } } as const

  /** Sends three requests with a key; the third raises its allowance. Returns the names of the events. */
  async function raise(definitions: object[], more: object = {}) {
    const { events, fired } = listener()
    const test = await makeTestEngine({ definitions, engine: { events }, settings: rolling })
    await test.putKey('org1abcd', session('a', { rate: 5, smoothing, ...more }))
    const send = async () => (await test.send('GET', '/a/x', { authorization: 'org1abcd' })).status
    const statuses = [await send(), await send()]
    test.advance(1000)
    statuses.push(await send())
    return { statuses, events: fired.map(({ name, api }) => [name, api?.id]) }
  }

  it('is fired once for a loop', async () => {
    const rewrite = { path: '.*', method: 'GET', match_pattern: '.*', rewrite_to: 'svc://b/x' }
    const versions = {
      Default: { name: 'Default', use_extended_paths: true, extended_paths: { url_rewrites: [rewrite] } },
    }
    const outer = keyed('a', { version_data: { not_versioned: true, versions } })
    expect(await raise([outer, definitionOf('b', { internal: true })])).toEqual({
      statuses: [200, 200, 200],
      events: [['RateLimitSmoothingUp', 'a']],
    })
  })

  it('is fired if the request is throttled and then rejected', async () => {
    const { events, fired } = listener()
    const clock = makeManualClock(Date.UTC(2026, 0, 1))
    const store = makeMemoryStore({ clock })
    const test = await makeTestEngine({
      definitions: [keyed('a')],
      engine: { events, clock, store },
      settings: rolling,
    })
    const throttle = { throttle_interval: 1, throttle_retry_limit: 1 }
    const wire = session('a', { rate: 5, smoothing, ...throttle })
    await store.sessions.put('org1abcd', readShape(sessionShape, wire).value)
    const send = async () => (await test.send('GET', '/a/x', { authorization: 'org1abcd' })).status
    expect([await send(), await send()]).toEqual([200, 200])
    const throttled = send()
    for (let i = 0; i < 3; i++) await clock.run(1000)
    expect(await throttled).toBe(429)
    expect(fired.map(({ name }) => name)).toEqual(['RateLimitSmoothingUp', 'RatelimitExceeded'])
  })

  it('is fired if a rate of the API rejects the request afterwards', async () => {
    expect(await raise([keyed('a', { global_rate_limit: { rate: 2, per: 60 } })])).toEqual({
      statuses: [200, 200, 429],
      events: [
        ['RateLimitSmoothingUp', 'a'],
        ['RatelimitExceeded', 'a'],
      ],
    })
  })
})

describe('events of rejections', () => {
  it('an unknown key is AuthFailure, with the whole path, the client and the key', async () => {
    const { events, fired } = listener()
    const { send } = await makeTestEngine({ definitions: [keyed('a')], engine: { events } })
    await send('GET', '/a/x%20y?q=1', { authorization: 'nope1' })
    expect(fired).toMatchObject([
      {
        name: 'AuthFailure',
        api: { id: 'a' },
        facts: { message: 'Auth Failure', path: '/a/x y', origin: '192.0.2.1', key: 'nope1' },
      },
    ])
  })

  it.each([
    [false, '[masked]', '[masked]'],
    [true, 'nope1', 'S3CRET'],
  ])('carry the request in wire form and base64; with credentials: %s', async (keepsCredentials, key, token) => {
    const { events, fired } = listener()
    const { send } = await makeTestEngine({
      definitions: [keyed('a')],
      engine: { events },
      settings: { keepsCredentials },
    })
    await send('GET', '/a/x?q=1&access_token=S3CRET', { authorization: 'nope1', 'x-one': '1', cookie: 'a=S3CRET' })
    const facts = fired[0]?.facts
    if (facts?.about !== 'request') throw new Error('no event of a request')
    const text = utf8Text(new Uint8Array(Buffer.from(facts.originatingRequest(), 'base64')))
    expect(text).toBe(
      [
        `GET /a/x?q=1&access_token=${token} HTTP/1.1`,
        `Authorization: ${key}`,
        'X-One: 1',
        `Cookie: a=${token}`,
        '',
        '',
      ].join('\r\n'),
    )
  })

  it('a missing key fires no event', async () => {
    const { events, fired } = listener()
    const { send } = await makeTestEngine({ definitions: [keyed('a')], engine: { events } })
    expect((await send('GET', '/a/x')).status).toBe(401)
    expect(fired).toEqual([])
  })

  it('a wrong password is AuthFailure, a malformed header fires no event', async () => {
    const { events, fired } = listener()
    const basic = definitionOf('b', { use_keyless: false, use_basic_auth: true })
    const { send } = await makeTestEngine({ definitions: [basic], engine: { events } })
    await send('GET', '/b/x', { authorization: 'Basic %%%' })
    await send('GET', '/b/x')
    expect(fired).toEqual([])
    await send('GET', '/b/x', { authorization: `Basic ${Buffer.from('anna:wrong').toString('base64')}` })
    expect(fired.map(({ name }) => name)).toEqual(['AuthFailure'])
  })

  it('an invalid token is AuthFailure, a missing one fires no event', async () => {
    const { events, fired } = listener()
    const jwt = definitionOf('j', {
      use_keyless: false,
      enable_jwt: true,
      jwt_signing_method: 'hmac',
      jwt_source: Buffer.from('c2VjcmV0').toString('base64'),
    })
    const { send } = await makeTestEngine({ definitions: [jwt], engine: { events } })
    await send('GET', '/j/x')
    expect(fired).toEqual([])
    await send('GET', '/j/x', { authorization: 'Bearer a.b.c' })
    expect(fired.map(({ name }) => name)).toEqual(['AuthFailure'])
  })

  it('inactive and expired keys are KeyExpired with different messages', async () => {
    const { events, fired } = listener()
    const { send, putKey } = await makeTestEngine({ definitions: [keyed('a')], engine: { events } })
    await putKey('org1idle', session('a', { is_inactive: true }))
    await putKey('org1late', session('a', { expires: 1000 }))
    await send('GET', '/a/x', { authorization: 'org1idle' })
    await send('GET', '/a/x', { authorization: 'org1late' })
    expect(fired.map(({ name, facts }) => [name, facts.message])).toEqual([
      ['KeyExpired', 'Attempted access from inactive key.'],
      ['KeyExpired', 'Attempted access from expired key.'],
    ])
  })

  it('each request over a quota or a rate fires an event', async () => {
    const { events, fired } = listener()
    const { send, putKey } = await makeTestEngine({ definitions: [keyed('a')], engine: { events } })
    await putKey('org1quota', session('a', { quota_max: 1, quota_renewal_rate: 3600 }))
    await putKey('org1rate', session('a', { rate: 1 }))
    for (const authorization of ['org1quota', 'org1quota', 'org1quota', 'org1rate', 'org1rate']) {
      await send('GET', '/a/x', { authorization })
    }
    expect(fired.map(({ name, facts }) => [name, facts.message])).toEqual([
      ['QuotaExceeded', 'Key Quota Limit Exceeded'],
      ['QuotaExceeded', 'Key Quota Limit Exceeded'],
      ['RatelimitExceeded', 'Rate Limit Exceeded'],
    ])
  })

  it('a rate of the API is RatelimitExceeded too', async () => {
    const { events, fired } = listener()
    const definition = definitionOf('a', { global_rate_limit: { rate: 1, per: 60 } })
    const { send } = await makeTestEngine({ definitions: [definition], engine: { events } })
    await send('GET', '/a/x')
    await send('GET', '/a/x')
    expect(fired).toMatchObject([{ name: 'RatelimitExceeded', facts: { message: 'API Rate Limit Exceeded', key: '' } }])
  })

  it('a missing version and a blocked path are VersionFailure, with the reason and without the key', async () => {
    const { events, fired } = listener()
    const versioned = definitionOf('v', {
      definition: { location: 'header', key: 'x-version' },
      version_data: { not_versioned: false, versions: { v1: { name: 'v1' } } },
    })
    const blocking = definitionOf('p', {
      version_data: {
        not_versioned: true,
        versions: {
          Default: { name: 'Default', use_extended_paths: true, extended_paths: { black_list: [{ path: '/no' }] } },
        },
      },
    })
    const { send } = await makeTestEngine({ definitions: [versioned, blocking], engine: { events } })
    await send('GET', '/v/x')
    await send('GET', '/p/no')
    expect(fired).toMatchObject([
      { name: 'VersionFailure', facts: { reason: 'Version information not found', key: '' } },
      { name: 'VersionFailure', facts: { reason: 'Requested endpoint is forbidden', path: '/p/no' } },
    ])
  })

  it('limits of the organisation have the organisation as key', async () => {
    const { events, fired } = listener()
    const { send, store, engine } = await makeTestEngine({ definitions: [definitionOf('a')], engine: { events } })
    const wire = { org_id: 'org1', rate: 1, per: 60, quota_max: -1 }
    await store.organisations.put('org1', readShape(sessionShape, wire).value)
    engine.orgs.forget('org1')
    await send('GET', '/a/x')
    await send('GET', '/a/x')
    expect(fired).toMatchObject([{ name: 'OrgRateLimitExceeded', facts: { key: 'org1' } }])
  })

  it('of a quota name the full key, however it was sent', async () => {
    const { events, fired } = listener(['QuotaExceeded'])
    const { send, putKey } = await makeTestEngine({ definitions: [keyed('a')], engine: { events } })
    const rights = { access_rights: { a: { api_id: 'a' } } }
    await putKey('org1short', { org_id: 'org1', quota_max: 1, quota_renewal_rate: 60, ...rights })
    for (const name of ['short', 'short', 'org1short']) await send('GET', '/a/x', { authorization: name })
    expect(fired).toMatchObject([{ facts: { key: 'org1short' } }, { facts: { key: 'org1short' } }])
  })

  it('without a handler are not created', async () => {
    const { events, fired } = listener(['QuotaExceeded'])
    const { send } = await makeTestEngine({ definitions: [keyed('a')], engine: { events } })
    await send('GET', '/a/x', { authorization: 'nope1' })
    expect(fired).toEqual([])
  })
})

describe('events of circuit breakers', () => {
  it('are fired under both names, with the path of their rule', async () => {
    const { events, fired } = listener()
    const breaker = { path: '/weak', method: 'GET', threshold_percent: 0.5, samples: 2, return_to_service_after: 60 }
    const definition = definitionOf('a', {
      version_data: {
        not_versioned: true,
        versions: {
          Default: { name: 'Default', use_extended_paths: true, extended_paths: { circuit_breakers: [breaker] } },
        },
      },
    })
    const { send } = await makeTestEngine({
      definitions: [definition],
      engine: { events },
      upstream: () =>
        Promise.resolve({ kind: 'response', status: 500, headers: [], body: undefined, bodyLength: undefined }),
    })
    for (let i = 0; i < 3; i++) await send('GET', '/a/weak')
    const facts = { message: 'Breaker Tripped', path: '/weak', apiId: 'a', change: 'tripped' }
    expect(fired).toMatchObject([
      { name: 'BreakerTriggered', facts },
      { name: 'BreakerTripped', facts },
    ])
  })
})

describe('the quota monitor', () => {
  const monitor = { globalLimit: 80, userKeys: true, orgKeys: false }

  it('fires an event for each counted request from the threshold on', async () => {
    const { events, fired } = listener('all', monitor)
    const { send, putKey } = await makeTestEngine({ definitions: [keyed('a')], engine: { events } })
    await putKey('org1m', session('a', { quota_max: 5, quota_renewal_rate: 3600 }))
    for (let i = 0; i < 5; i++) await send('GET', '/a/x', { authorization: 'org1m' })
    expect(fired.map(({ facts }) => facts)).toMatchObject([
      {
        about: 'trigger',
        message: 'Quota trigger reached',
        orgId: 'org1',
        key: 'org1m',
        triggerLimit: 80,
        usagePercentage: 80,
      },
      { usagePercentage: 100 },
    ])
  })

  it('uses the thresholds of the session', async () => {
    const { events, fired } = listener('all', monitor)
    const { send, putKey } = await makeTestEngine({ definitions: [keyed('a')], engine: { events } })
    await putKey('org1m', session('a', { quota_max: 4, quota_renewal_rate: 3600, monitor: { trigger_limits: [50] } }))
    for (let i = 0; i < 2; i++) await send('GET', '/a/x', { authorization: 'org1m' })
    expect(fired).toMatchObject([{ name: 'TriggerExceeded', facts: { triggerLimit: 50 } }])
  })

  it('checks only the configured kinds of quotas', async () => {
    const { events, fired } = listener('all', { ...monitor, userKeys: false })
    const { send, putKey } = await makeTestEngine({ definitions: [keyed('a')], engine: { events } })
    await putKey('org1m', session('a', { quota_max: 1, quota_renewal_rate: 3600 }))
    await send('GET', '/a/x', { authorization: 'org1m' })
    expect(fired).toEqual([])
  })
})
