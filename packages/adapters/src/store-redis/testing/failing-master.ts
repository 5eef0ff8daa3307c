/** Clients that count requests while the master of their counters fails, and what tests expect of them. */
import { type Counter, type CounterStore, counterKey, StoreUnavailableError } from '@turnpike/core/ports'
import { makeMemoryLog, plainCounter } from '@turnpike/testkit'
import { type FailingMaster, startClusterWithMaster, startSentinelWithMaster } from '@turnpike/testkit/failing-master'
import type { RedisClusterOptions } from '@turnpike/testkit/redis-cluster'
import type { RedisSentinelOptions } from '@turnpike/testkit/redis-sentinel'
import { expect } from 'vitest'
import { makeRedisStore, openRedisConnection } from '../store-redis.ts'

/** Registers what a test closes at its end, in reverse order. */
export type AtEnd = (close: () => Promise<void>) => void

/** Starts a cluster; the master of the subject `s0` is the one that fails. */
export async function startCluster(atEnd: AtEnd, options?: RedisClusterOptions): Promise<FailingMaster> {
  const redis = await startClusterWithMaster('quota-{s0}', options)
  atEnd(redis.close)
  return redis
}

export async function startSentinel(atEnd: AtEnd, options?: RedisSentinelOptions): Promise<FailingMaster> {
  const redis = await startSentinelWithMaster(options)
  atEnd(redis.close)
  return redis
}

/** Opens a store whose counters the load uses, and waits until Redis is available. */
export async function openStore({ addresses, masterName }: FailingMaster, atEnd: AtEnd) {
  const log = makeMemoryLog()
  const redis = {
    addresses,
    cluster: masterName === undefined,
    ...(masterName === undefined ? {} : { sentinel: { master: masterName } }),
  }
  const connection = openRedisConnection({ redis, log })
  await connection.ready(15_000)
  const store = makeRedisStore({ connection, log, layout: 'tagged' })
  atEnd(() => store.close())
  return store
}

const max = 1e9
const counterOf = (subject: string): Counter => {
  const id = plainCounter(subject)
  return { ...id, id: counterKey(id), generation: '', rate: undefined, quota: { max, renewalSeconds: 36_000 } }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Subjects whose counters are in different slots. The master of a `SetUp` has the first one. */
const subjects = ['s0', 's1', 's2', 's3', 's4', 's5']

/** Clients that count requests of one subject each until `stop`, one after the other. */
export function startLoad(counters: CounterStore) {
  const failures: unknown[] = []
  let longestMs = 0
  let lastFailureAt = 0
  let stopped = false
  const admitted = new Map<string, number[]>()
  const counted = new Map<string, number>()
  const client = async (subject: string) => {
    const counter = counterOf(subject)
    const times: number[] = []
    admitted.set(subject, times)
    while (!stopped) {
      const startedAt = performance.now()
      try {
        const { quota } = await counters.consume(counter, 1)
        times.push(performance.now())
        counted.set(subject, max - (quota?.remaining ?? Number.NaN))
      } catch (error) {
        failures.push(error)
        lastFailureAt = performance.now()
      }
      longestMs = Math.max(longestMs, performance.now() - startedAt)
      await pause(10)
    }
  }
  const clients = Promise.all(subjects.map(client))
  return {
    lastFailureAt: () => lastFailureAt,
    /** When the last request of a subject was admitted. */
    lastAdmittedAt: (subject = 's0') => admitted.get(subject)?.at(-1) ?? 0,
    async stop() {
      stopped = true
      await clients
    },
    /** No call took over 1.5 s, and calls failed only because the store was unavailable. */
    expectBounded() {
      expect(longestMs).toBeLessThan(1500)
      expect(failures.filter((error) => !(error instanceof StoreUnavailableError))).toEqual([])
    },
    /** All requests were counted, except for some of those that were admitted in this span. */
    expectCounted(lostFrom: number, lostUntil: number) {
      for (const [subject, times] of admitted) {
        const all = times.length
        const atRisk = times.filter((at) => at > lostFrom && at < lostUntil).length
        expect(counted.get(subject), subject).toBeGreaterThanOrEqual(all - atRisk)
        // A failed call may have been counted, in a cluster more than once.
        expect(counted.get(subject), subject).toBeLessThanOrEqual(all + 2 * failures.length)
      }
    },
    expectServedAfter(time: number) {
      for (const [subject, times] of admitted) expect(times.at(-1), subject).toBeGreaterThan(time)
    },
  }
}
