/** The tagged layout in a Redis Cluster: all names of a decision are in one hash slot, and a decision is one call. */
import type { Counter, QuotaLimit, RateLimit, Session, Smoothing } from '@turnpike/core/ports'
import { counterKey, sessionShape } from '@turnpike/core/ports'
import { makeMemoryLog, plainCounter } from '@turnpike/testkit'
import { type RedisCluster, startRedisCluster } from '@turnpike/testkit/redis-cluster'
import { titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { Cluster } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { makeRedisStore, openRedisConnection, type RedisLayout } from './store-redis.ts'

const quota: QuotaLimit = { max: 3, renewalSeconds: 3600 }
const smoothing: Smoothing = { threshold: 2, trigger: 0.5, step: 1, delay: 60 }
const rate = (algorithm: RateLimit['algorithm'], smoothed = false): RateLimit => ({
  algorithm,
  rate: 5,
  per: 86_400,
  smoothing: smoothed ? smoothing : undefined,
  oneLess: false,
})
const counterOf = (subject: string, limit: RateLimit, more: Partial<Counter> = {}): Counter => {
  const id = { ...plainCounter(subject), scope: 'api1', endpoint: 'GET:/e', ...more }
  return { ...id, id: counterKey(id), generation: '', rate: limit, quota }
}

/** Subjects that contain characters of hash tags, which must not end a tag. */
const subjects = ['abc', '}x', '{', 'a{b}c', '', '100%', 'a-key-of-somebody']

describe.skipIf(withoutRedis)(titleWithRedis('the tagged layout in a cluster'), () => {
  let cluster: RedisCluster
  beforeAll(async () => {
    cluster = await startRedisCluster()
  }, 60_000)
  afterAll(() => cluster.close())

  const open = async (layout: RedisLayout) => {
    await cluster.flush()
    const log = makeMemoryLog()
    const connection = openRedisConnection({
      redis: { addresses: cluster.servers, cluster: true },
      log,
      callMs: 10_000,
    })
    await connection.ready(15_000)
    const store = makeRedisStore({ connection, log, layout })
    onTestFinished(() => store.close())
    return store
  }

  /** Script calls that all masters have executed. A store under test sends no other commands for a decision. */
  const executed = async () => {
    const texts = await Promise.all(cluster.servers.slice(0, 3).map((server) => server.read('INFO commandstats')))
    const counts = texts.flatMap((text) => [...text.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)])
    return counts.reduce((sum, [, calls]) => sum + Number(calls), 0)
  }

  const limits = [
    ['rolling', rate('rolling')],
    ['sentinel', rate('sentinel')],
    ['fixed', rate('fixed')],
    ['rolling, smoothed', rate('rolling', true)],
    ['sentinel, smoothed', rate('sentinel', true)],
  ] as const

  it.each(limits)('a decision about rate and quota is one call: %s', async (_, limit) => {
    const { counters } = await open('tagged')
    // The masters learn the script.
    for (const subject of subjects) await counters.consume(counterOf(subject, limit), 1)
    const before = await executed()
    for (const subject of subjects) {
      const { rate: rateResult, quota: quotaResult } = await counters.consume(counterOf(subject, limit), 1)
      expect(rateResult?.allowed).toBe(true)
      expect(quotaResult).toMatchObject({ allowed: true, remaining: 1 })
    }
    expect(await executed()).toBe(before + subjects.length)
  })

  it('with the recorded layout it is two calls, and limits of two names fail', async () => {
    const { counters } = await open('recorded')
    await counters.consume(counterOf('abc', rate('rolling')), 1)
    const before = await executed()
    expect(await counters.consume(counterOf('abc', rate('rolling')), 1)).toMatchObject({ quota: { remaining: 1 } })
    expect(await executed()).toBe(before + 2)
    await expect(counters.consume(counterOf('abc', rate('sentinel')), 1)).rejects.toThrow(/slot/)
  })

  it('the session of a key is in the slot of its counters, and lists by its name', async () => {
    const { sessions, counters } = await open('tagged')
    const client = new Cluster(cluster.servers.map(({ host, port }) => ({ host, port })))
    onTestFinished(() => client.disconnect())
    const slotOf = (key: string) => client.cluster('KEYSLOT', key)
    for (const subject of subjects) {
      await sessions.put(subject, { ...sessionShape.zero(), alias: subject } satisfies Session)
      await counters.consume(counterOf(subject, rate('sentinel')), 5)
      expect((await sessions.get(subject))?.session.alias).toBe(subject)
    }
    expect((await sessions.list('')).sort()).toEqual([...subjects].sort())
    expect(await sessions.list('a{')).toEqual(['a{b}c'])
    const slots = await Promise.all(
      ['apikey-{abc}', 'quota-{abc}:api1:', 'rate-limit-{abc}:api1:-355a3178'].map(async (key) => {
        expect(await client.exists(key), key).toBe(1)
        return slotOf(key)
      }),
    )
    expect(new Set(slots).size).toBe(1)
    expect(await sessions.remove('a{b}c')).toBe(true)
    await counters.unblock([{ ...plainCounter('abc'), scope: 'api1', endpoint: 'GET:/e' }])
    expect(await client.exists('rate-limit-{abc}:api1:-355a3178.BLOCKED')).toBe(0)
  })

  it('the layouts do not share counters', async () => {
    const [tagged, recorded] = [await open('tagged'), await open('recorded')]
    const counter = counterOf('abc', rate('rolling'))
    expect((await tagged.counters.consume(counter, 1)).quota?.remaining).toBe(2)
    expect((await recorded.counters.consume(counter, 1)).quota?.remaining).toBe(2)
  })
})
