/** Decisions of one event loop iteration share a call and are independent. */

import type { QuotaLimit, RateLimit } from '@turnpike/core/ports'
import { consumeQuota, consumeRate, rateCounter } from '@turnpike/testkit'
import { expect, it } from 'vitest'
import { makeRedisStore, openRedisConnection } from './store-redis.ts'
import { describeWithRedis } from './testing/with-redis.ts'

const quota: QuotaLimit = { max: 5, renewalSeconds: 3600 }
const rate = (algorithm: RateLimit['algorithm']): RateLimit => ({
  algorithm,
  rate: 5,
  // A day, so that no window ends during the test.
  per: 86_400,
  smoothing: undefined,
  oneLess: false,
})
const both = (subject: string, algorithm: RateLimit['algorithm']) => ({
  ...rateCounter(subject, rate(algorithm)),
  quota,
})
const times = <T>(n: number, fn: (i: number) => T) => Array.from({ length: n }, (_, i) => fn(i))

describeWithRedis('decisions of one event loop iteration', (fixture) => {
  const scriptCalls = async () =>
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(await fixture.redis.info('commandstats'))?.[1] ?? 0)

  it('share one script call, for any counters', async () => {
    const { counters } = fixture.store
    await consumeQuota(counters, 'known', quota, 1)
    const before = await scriptCalls()
    const [spent, fixed, rolling, together] = await Promise.all([
      consumeQuota(counters, 'a', quota, 1),
      consumeRate(counters, 'f', rate('fixed'), 1),
      consumeRate(counters, 'r', rate('rolling'), 1),
      counters.consume(both('b', 'sentinel'), 1),
    ])
    expect(spent).toMatchObject({ allowed: true, remaining: 4 })
    expect(fixed).toMatchObject({ allowed: true })
    expect(rolling).toMatchObject({ allowed: true, remaining: 4 })
    expect(together).toMatchObject({ rate: { allowed: true }, quota: { allowed: true, remaining: 4 } })
    expect(await scriptCalls()).toBe(before + 1)
  })

  it('are limited to a hundred per call', async () => {
    await consumeQuota(fixture.store.counters, 'known', quota, 1)
    const before = await scriptCalls()
    const all = await Promise.all(times(250, () => consumeQuota(fixture.store.counters, 'a', quota, 1)))
    expect(all.filter(({ allowed }) => allowed)).toHaveLength(5)
    expect(await scriptCalls()).toBe(before + 3)
    expect(await fixture.redis.get('quota-a')).toBe('250')
  })

  it('on one counter are made in the order of the requests', async () => {
    const { counters } = fixture.store
    const taken = await Promise.all(times(9, () => consumeRate(counters, 'r', rate('rolling'), 1)))
    expect(taken.map(({ allowed }) => allowed)).toEqual(times(9, (i) => i < 5))
    expect(await fixture.redis.zcard('rate-limit-r')).toBe(9)
    const together = await Promise.all(times(9, () => counters.consume(both('s', 'sentinel'), 1)))
    expect(together.map((one) => one.rate?.allowed)).toEqual(times(9, (i) => i < 5))
    // Requests that the rate rejects do not count against the quota.
    expect(together.map((one) => one.quota?.remaining)).toEqual([4, 3, 2, 1, 0, ...times(4, () => undefined)])
  })

  it('do not affect each other if one fails', async () => {
    const { counters } = fixture.store
    await fixture.redis.rpush('quota-list', 'x')
    await fixture.redis.expire('quota-list', 60)
    await fixture.redis.set('quota-text', 'many', 'EX', 60)
    await fixture.redis.set('rate-limit-text-of-a-rate', 'many', 'EX', 60)
    const all = await Promise.allSettled([
      consumeQuota(counters, 'a', quota, 1),
      consumeQuota(counters, 'list', quota, 1),
      consumeQuota(counters, 'text', quota, 0),
      consumeQuota(counters, 'text', quota, 1),
      counters.consume(both('text-of-a-rate', 'rolling'), 1),
      consumeQuota(counters, 'a', quota, 1),
    ])
    const results = all.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))
    expect(results).toEqual([
      expect.objectContaining({ remaining: 4 }),
      expect.stringContaining('WRONGTYPE'),
      expect.stringContaining('a counter in Redis is not a number'),
      expect.stringContaining('not an integer'),
      expect.stringContaining('WRONGTYPE'),
      expect.objectContaining({ remaining: 3 }),
    ])
    expect(await fixture.redis.get('quota-text-of-a-rate')).toBeNull()
  })

  it('wait individually for another node that holds a lock', async () => {
    await fixture.redis.set('quota-k-lock', 'somebody', 'EX', 8)
    const waiting = consumeQuota(fixture.store.counters, 'k', quota, 1)
    expect(await consumeQuota(fixture.store.counters, 'a', quota, 1)).toMatchObject({ remaining: 4 })
    await fixture.redis.del('quota-k-lock')
    expect(await waiting).toMatchObject({ remaining: 4 })
  })

  it('are rejected individually while Redis is unavailable', async () => {
    const connection = openRedisConnection({ redis: { addresses: [{ host: '127.0.0.1', port: 1 }] }, log: fixture.log })
    const store = makeRedisStore({ connection, log: fixture.log })
    const all = await Promise.allSettled(times(7, () => consumeQuota(store.counters, 'a', quota, 1)))
    expect(all.map(({ status }) => status)).toEqual(times(7, () => 'rejected'))
    expect(connection.counts().rejected).toBe(7)
    await store.close()
  })
})
