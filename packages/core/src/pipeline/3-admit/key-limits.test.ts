import { describe, expect, it } from 'vitest'
import { makeManualClock } from '../../../test/support/manual-clock.ts'
import { definitionOf, makeTestEngine, requestOf } from '../../../test/support/test-engine.ts'
import { plainSettings } from '../../../test/support/test-settings.ts'
import { readShape } from '../../lib/shape/shape.ts'
import type { RateAlgorithm } from '../../ports/rate-limit.ts'
import { sessionShape } from '../../ports/session.ts'
import { makeMemoryStore } from '../../store-memory/memory-store.ts'

async function throttledKey(algorithm: RateAlgorithm) {
  const clock = makeManualClock(Date.UTC(2026, 0, 1))
  const store = makeMemoryStore({ clock })
  const keyed = definitionOf('k', { use_keyless: false, auth: { auth_header_name: 'Authorization' } })
  const test = await makeTestEngine({
    definitions: [keyed],
    settings: { limits: { ...plainSettings.limits, algorithm } },
    engine: { clock, store },
  })
  const session = {
    org_id: 'org1',
    access_rights: { k: { api_id: 'k' } },
    rate: 1,
    per: 2,
    throttle_interval: 1,
    throttle_retry_limit: 3,
  }
  await store.sessions.put('org1abcd', readShape(sessionShape, session).value)
  return { test, clock, store }
}

async function throttled(algorithm: RateAlgorithm) {
  const { test, clock } = await throttledKey(algorithm)
  const send = async () => (await test.send('GET', '/k/x', { authorization: 'abcd' })).status
  expect(await send()).toBe(200)
  let waitedMs = 0
  let status: number | undefined
  void send().then((got) => {
    status = got
  })
  for (; status === undefined && waitedMs < 10_000; waitedMs += 1000) await clock.run(1000)
  return { status, waitedMs }
}

describe('a request for an endpoint of a key with a rate of 0', () => {
  it('is limited by the quota of the key, but not by its rate', async () => {
    const keyed = definitionOf('k', { use_keyless: false, auth: { auth_header_name: 'Authorization' } })
    const test = await makeTestEngine({ definitions: [keyed] })
    const endpoints = [{ path: '/free', methods: [{ name: 'GET', limit: { rate: 0, per: 60 } }] }]
    const limits = { rate: 1, per: 60, quota_max: 3, quota_renewal_rate: 60 }
    await test.putKey('org1abcd', { org_id: 'org1', ...limits, access_rights: { k: { endpoints } } })
    const send = async (path: string) => (await test.send('GET', path, { authorization: 'abcd' })).status
    expect(await send('/k/x')).toBe(200)
    expect(await send('/k/x')).toBe(429)
    expect([await send('/k/free'), await send('/k/free'), await send('/k/free')]).toEqual([200, 200, 403])
  })
})

describe('a request over the rate of a key with throttling', () => {
  it('waits, reads the counter without counting, and is forwarded once the rate allows it', async () => {
    expect(await throttled('local')).toEqual({ status: 200, waitedMs: 2000 })
  })

  it.each(['rolling', 'sentinel'] as const)('keeps the log full with its own retries: %s', async (algorithm) => {
    expect(await throttled(algorithm)).toEqual({ status: 429, waitedMs: 4000 })
  })

  it('consumes the rate of a fixed window with its retry', async () => {
    expect((await throttled('fixed')).status).toBe(429)
  })

  it('ends at once if the client disconnects, and counts no further', async () => {
    const { test, clock } = await throttledKey('rolling')
    expect((await test.send('GET', '/k/x', { authorization: 'abcd' })).status).toBe(200)
    let disconnect = () => {}
    const onAbort = (listener: (() => void) | undefined) => {
      disconnect = listener ?? (() => {})
    }
    const waiting = test.engine.handle({ ...requestOf('GET', '/k/x', { authorization: 'abcd' }), onAbort })
    disconnect()
    expect((await waiting).status).toBe(499)
    // Each retry would have counted a request in the window.
    await clock.run(2500)
    expect((await test.send('GET', '/k/x', { authorization: 'abcd' })).status).toBe(200)
    expect(test.upstreamRequests).toHaveLength(2)
  })
})
