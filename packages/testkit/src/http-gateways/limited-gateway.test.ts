import { afterEach, describe, expect, it } from 'vitest'
import type { LimitedGatewayOptions } from './gateway-options.ts'
import { keyLimiters, type LimiterKind } from './key-limiters.ts'
import { type LimitedGateway, startLimitedGateway } from './limited-gateway.ts'

const open: LimitedGateway[] = []
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close()
})

/** A gateway on a manual clock. Its imagined database responds as soon as `together` requests wait for it. */
async function start(options: LimitedGatewayOptions, together = 1) {
  let now = Date.UTC(2026, 0, 1)
  const waits: number[] = []
  const waiting: (() => void)[] = []
  const sleep = (ms: number) => {
    waits.push(ms)
    return new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length >= together) for (const respond of waiting.splice(0)) respond()
    })
  }
  const gateway = await startLimitedGateway({ now: () => now, sleep, ...options })
  open.push(gateway)
  const send = (key: string, path = '/', init: RequestInit = {}) =>
    fetch(gateway.url + path, { ...init, headers: { Authorization: key, ...init.headers } })
  return {
    send,
    waits,
    pass: (ms: number) => {
      now += ms
    },
    /** Sends requests one by one and returns their statuses. */
    statuses: async (count: number, key = 'blue') => {
      const statuses: number[] = []
      for (let i = 0; i < count; i += 1) statuses.push((await send(key)).status)
      return statuses
    },
    /** Sends concurrent requests and returns the number of admitted ones. */
    crowd: async (count: number, key = 'blue') => {
      const responses = await Promise.all(Array.from({ length: count }, () => send(key)))
      return responses.filter(({ status }) => status === 200).length
    },
    /** Sends a batch and returns the status of each item. */
    batch: async (paths: readonly string[], key = 'blue') => {
      const body = JSON.stringify({ requests: paths.map((relative_url) => ({ method: 'GET', relative_url })) })
      const response = await send(key, '/batch', { method: 'POST', body })
      return ((await response.json()) as { code: number }[]).map(({ code }) => code)
    },
  }
}

const rate = { count: 3, periodMs: 2000 }
const times = (count: number, status: number) => Array.from({ length: count }, () => status)

describe('a correct gateway', () => {
  it.each(Object.keys(keyLimiters) as LimiterKind[])('%s: admits its limit, one by one and at once', async (kind) => {
    const gateway = await start({ kind, rate })
    expect(await gateway.statuses(5)).toEqual([200, 200, 200, 429, 429])
    expect(await gateway.crowd(20, 'red')).toBe(3)
    gateway.pass(4000)
    expect(await gateway.crowd(20)).toBe(3)
    expect(await gateway.batch(['a', 'b', 'c', 'd', 'e'], 'green')).toEqual([200, 200, 200, 429, 429])
  })

  it.each(Object.keys(keyLimiters) as LimiterKind[])('%s: admits at the reported time, not before', async (kind) => {
    const gateway = await start({ kind, rate, headers: ['retry-after'] })
    await gateway.crowd(10)
    const waitMs = 1000 * Number((await gateway.send('blue')).headers.get('retry-after'))
    expect(waitMs).toBeGreaterThan(0)
    gateway.pass(waitMs - 1000)
    expect((await gateway.send('blue')).status).toBe(429)
    gateway.pass(1000)
    expect((await gateway.send('blue')).status).toBe(200)
  })

  it('leaky-bucket: sends requests at even distances', async () => {
    const gateway = await start({ kind: 'leaky-bucket', rate: { count: 4, periodMs: 2000 } })
    expect(await gateway.crowd(4)).toBe(4)
    expect(gateway.waits).toEqual([500, 1000, 1500])
  })

  it('fixed-window: admits 2L − 1 requests around the edge of a window', async () => {
    const gateway = await start({ kind: 'fixed-window', rate })
    gateway.pass(1999)
    expect(await gateway.crowd(5)).toBe(3)
    gateway.pass(1)
    expect(await gateway.crowd(5)).toBe(3)
  })

  it('counts a quota apart from the rate, and renews it', async () => {
    const gateway = await start({ rate, quota: { count: 4, periodMs: 10_000 }, quotaStatus: 403 })
    expect(await gateway.statuses(4)).toEqual([200, 200, 200, 429])
    gateway.pass(2000)
    expect(await gateway.statuses(2)).toEqual([200, 403])
    gateway.pass(8000)
    expect(await gateway.crowd(5)).toBe(3)
  })

  it('reports limits in each style of headers', async () => {
    const headers = ['x-ratelimit', 'ietf', 'ietf-fields', 'retry-after'] as const
    const gateway = await start({ rate, quota: { count: 9, periodMs: 60_000 }, headers })
    const first = Object.fromEntries((await gateway.send('blue')).headers)
    expect(first).toMatchObject({
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '2',
      'x-ratelimit-reset': String(Date.UTC(2026, 0, 1) / 1000 + 2),
      'ratelimit-policy': '"rate";q=3;w=2, "quota";q=9;w=60',
      ratelimit: '"rate";r=2;t=2, "quota";r=8;t=60',
      'ratelimit-remaining': '2',
    })
    await gateway.statuses(2)
    expect((await gateway.send('blue')).headers.get('retry-after')).toBe('2')
  })

  it('reports the retry time as a date', async () => {
    const gateway = await start({ rate, headers: ['retry-after-date'] })
    await gateway.statuses(3)
    expect((await gateway.send('blue')).headers.get('retry-after')).toBe('Thu, 01 Jan 2026 00:00:02 GMT')
  })

  it('counts all spellings of a key together', async () => {
    const gateway = await start({ rate })
    const sent = []
    for (const spelling of ['blue', 'acme.blue', 'BLUE', 'Bearer  blue', 'red'])
      sent.push((await gateway.send(spelling)).status)
    expect(sent).toEqual([200, 200, 200, 429, 200])
  })

  it('rejects missing and unknown keys, other methods and paths of another API', async () => {
    const gateway = await start({ rate, keys: ['blue'] })
    expect((await gateway.send('')).status).toBe(401)
    expect((await gateway.send('red')).status).toBe(401)
    expect((await gateway.send('blue', '/', { method: 'DELETE' })).status).toBe(405)
    expect((await gateway.send('blue', '/internal/x')).status).toBe(403)
    expect(await gateway.batch(['../internal/x', '%2e%2e/internal/x'])).toEqual([403, 403])
  })

  it('sends CORS headers for its methods only', async () => {
    const gateway = await start({ rate })
    expect(await allowedByCors(gateway.send, 'POST')).toBe('https://a.example')
    expect(await allowedByCors(gateway.send, 'DELETE')).toBe(null)
  })

  it.each([
    [{}, 'pass a rate or a quota'],
    [{ rate: { count: 0, periodMs: 1 } }, 'startLimitedGateway: rate: count is 0; it must be a whole number from 1 on'],
    [{ rate, fault: 'x' as 'crowd' }, 'startLimitedGateway: fault is "x"; it must be one of: crowd, '],
  ])('rejects the options %j', async (options, message) => {
    await expect(startLimitedGateway(options)).rejects.toThrow(message)
  })
})

async function allowedByCors(send: Awaited<ReturnType<typeof start>>['send'], method: string) {
  const headers = { Origin: 'https://a.example', 'Access-Control-Request-Method': method }
  const response = await send('blue', '/', { method: 'OPTIONS', headers })
  return response.headers.get('access-control-allow-origin')
}

describe('a gateway with a fault', () => {
  it('crowd: a quota of 5 admits 40 of 40 concurrent requests', async () => {
    const gateway = await start({ quota: { count: 5, periodMs: 60_000 }, fault: 'crowd' }, 40)
    expect(await gateway.crowd(40)).toBe(40)
  })

  it('crowd: requests one by one are limited', async () => {
    const gateway = await start({ quota: { count: 5, periodMs: 60_000 }, fault: 'crowd' })
    expect(await gateway.statuses(7)).toEqual([...times(5, 200), 429, 429])
  })

  it('renewal-crowd: admits a crowd when the quota renews, but not before', async () => {
    const gateway = await start({ quota: { count: 5, periodMs: 60_000 }, fault: 'renewal-crowd' }, 20)
    expect(await gateway.crowd(20)).toBe(5)
    gateway.pass(60_000)
    expect(await gateway.crowd(20)).toBe(20)
  })

  it('sentinel: admits 60 on 3', async () => {
    const gateway = await start({ rate, fault: 'sentinel' }, 60)
    expect(await gateway.crowd(60)).toBe(60)
    expect(await gateway.statuses(1)).toEqual([429])
  })

  it.each(['batch-counts-once', 'batch-not-counted'] as const)('%s: passes 40 items on a quota of 3', async (fault) => {
    const gateway = await start({ quota: { count: 3, periodMs: 60_000 }, fault })
    expect(await gateway.batch(times(40, 0).map(String))).toEqual(times(40, 200))
    expect(await gateway.statuses(3)).toEqual(fault === 'batch-counts-once' ? [200, 200, 429] : [200, 200, 200])
  })

  it('batch-leaves-api: reaches a path of another API', async () => {
    const gateway = await start({ rate, fault: 'batch-leaves-api' })
    expect(await gateway.batch(['../internal/x'])).toEqual([200])
    expect((await gateway.send('blue', '/internal/x')).status).toBe(403)
  })

  it('key-spellings: each spelling has its own limit', async () => {
    const gateway = await start({ rate, keys: ['blue'], fault: 'key-spellings' })
    for (const spelling of ['blue', 'acme.blue', 'BLUE', 'Bearer blue']) {
      expect(await gateway.crowd(9, spelling)).toBe(3)
    }
  })

  it('key-prefix: keys share a limit', async () => {
    const gateway = await start({ rate, fault: 'key-prefix' })
    expect([await gateway.crowd(9, 'test-1'), await gateway.crowd(9, 'test-2')]).toEqual([3, 0])
  })

  it('key-collision: some of sixteen keys share a limit', async () => {
    const gateway = await start({ rate, fault: 'key-collision' })
    const admitted = []
    for (let i = 0; i < 16; i += 1) admitted.push(await gateway.crowd(3, String.fromCharCode(97 + i)))
    expect(admitted.filter((count) => count < 3)).toHaveLength(1)
  })

  it('forgets-after-rest: 40 are admitted where 22 may be', async () => {
    const gateway = await start({ rate: { count: 1, periodMs: 1000, burst: 20 }, fault: 'forgets-after-rest' })
    const before = await gateway.crowd(30)
    gateway.pass(2000)
    expect([before, await gateway.crowd(30)]).toEqual([20, 20])
  })

  it.each([
    ['retry-after-late', '17'],
    ['retry-after-early', '1'],
  ] as const)('%s: Retry-After is %s where 2 is right', async (fault, seconds) => {
    const gateway = await start({ rate, headers: ['retry-after'], fault })
    await gateway.crowd(3)
    expect((await gateway.send('blue')).headers.get('retry-after')).toBe(seconds)
  })

  it.each([
    ['rate-truncated', { count: 1, periodMs: 60_000 }, 61_000, 62_500],
    ['rate-truncated-to-tenths', { count: 1, periodMs: 1900 }, 1950, 2000],
  ] as const)('%s: rejects after the period', async (fault, limit, rejectedMs, admittedMs) => {
    const gateway = await start({ rate: limit, fault })
    await gateway.send('blue')
    gateway.pass(rejectedMs)
    expect((await gateway.send('blue')).status).toBe(429)
    gateway.pass(admittedMs - rejectedMs)
    expect((await gateway.send('blue')).status).toBe(200)
  })

  it.each([
    ['remaining-99', ['99', '99', '99', '99']],
    ['remaining-0', ['0', '0', '0', '0']],
    ['remaining-counts-up', ['1', '2', '3', '3']],
    ['remaining-0-on-admitted', ['0', '0', '0', '0']],
  ] as const)('%s', async (fault, expected) => {
    const gateway = await start({ rate, headers: ['x-ratelimit'], fault })
    const reported = []
    for (const _ of expected) reported.push((await gateway.send('blue')).headers.get('x-ratelimit-remaining'))
    expect(reported).toEqual(expected)
  })

  it('cors-any-method: sends CORS headers for DELETE', async () => {
    const gateway = await start({ rate, fault: 'cors-any-method' })
    expect(await allowedByCors(gateway.send, 'DELETE')).toBe('https://a.example')
    expect((await gateway.send('blue', '/', { method: 'DELETE' })).status).toBe(405)
  })

  it.each([
    ['limit-5-percent-higher', 42],
    ['limit-one-less', 39],
    ['no-limit', 60],
  ] as const)('%s: admits %i of 60 on 40', async (fault, admitted) => {
    const gateway = await start({ rate: { count: 40, periodMs: 10_000 }, fault })
    expect(await gateway.crowd(60)).toBe(admitted)
  })

  it('window-5-percent-shorter: admits after 95 % of the period', async () => {
    const gateway = await start({ rate, fault: 'window-5-percent-shorter' })
    await gateway.crowd(3)
    gateway.pass(1900)
    expect(await gateway.statuses(1)).toEqual([200])
  })

  it('fraction-of-second: limits nothing below one second', async () => {
    const gateway = await start({ rate: { count: 1, periodMs: 500 }, fault: 'fraction-of-second' })
    expect(await gateway.crowd(20)).toBe(20)
  })
})
