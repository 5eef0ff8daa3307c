/** A master fails under load: what requests notice, how soon a replica serves them, and what is counted. */
import { type Counter, counterKey, StoreUnavailableError } from '@turnpike/core'
import { makeMemoryLog, plainCounter } from '@turnpike/testkit'
import { type ReplicatedServer, startRedisCluster } from '@turnpike/testkit/redis-cluster'
import { startRedisSentinel } from '@turnpike/testkit/redis-sentinel'
import { titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeRedisLink, makeRedisStore, type RedisConnection } from './store-redis.ts'

/** A set-up, and the master of the counter `quota-{s0}` in it. */
interface SetUp {
  readonly connection: RedisConnection
  readonly master: ReplicatedServer
  /** True once another server has taken over. */
  hasNewMaster(): Promise<boolean>
}

const failoverAfterMs = 1000

async function startCluster(): Promise<SetUp> {
  const cluster = await startRedisCluster({ failoverAfterMs })
  onTestFinished(() => cluster.close())
  const { master, replica } = await cluster.shardOf('quota-{s0}')
  return {
    connection: { addresses: cluster.servers, cluster: true },
    master,
    hasNewMaster: async () => (await replica.role()) === 'master',
  }
}

async function startSentinel(): Promise<SetUp> {
  const redis = await startRedisSentinel({ failoverAfterMs })
  onTestFinished(() => redis.close())
  const master = await redis.master()
  return {
    connection: { addresses: redis.sentinels, sentinel: { master: redis.masterName } },
    master,
    hasNewMaster: async () => {
      const roles = redis.servers.filter((server) => server !== master).map((server) => server.role())
      return (await Promise.all(roles)).includes('master')
    },
  }
}

const max = 1e9
const counterOf = (subject: string): Counter => {
  const id = plainCounter(subject)
  return { ...id, id: counterKey(id), generation: '', rate: undefined, quota: { max, renewalSeconds: 36_000 } }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Clients that count requests of one subject each until `stop`, one after the other. */
function startLoad(counters: ReturnType<typeof makeRedisStore>['counters'], subjects: readonly string[]) {
  const seen = { longestMs: 0, failures: [] as unknown[], lastFailureAt: 0 }
  const admitted = new Map<string, number[]>()
  const counted = new Map<string, number>()
  let stopped = false
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
        seen.failures.push(error)
        seen.lastFailureAt = performance.now()
      }
      seen.longestMs = Math.max(seen.longestMs, performance.now() - startedAt)
      await pause(5)
    }
  }
  const clients = Promise.all(subjects.map(client))
  const stop = async () => {
    stopped = true
    await clients
  }
  return { seen, admitted, counted, stop }
}

describe.skipIf(withoutRedis).sequential(titleWithRedis('a failover under load'), { retry: 1, timeout: 90_000 }, () => {
  it.each([
    ['killed', 'a cluster', startCluster],
    ['suspended', 'a cluster', startCluster],
    ['killed', 'a set-up with Sentinel', startSentinel],
    ['suspended', 'a set-up with Sentinel', startSentinel],
  ] as const)('after the master is %s in %s', async (how, _, start) => {
    const { connection, master, hasNewMaster } = await start()
    const log = makeMemoryLog()
    const link = makeRedisLink({ redis: connection, log })
    await link.ready(15_000)
    const store = makeRedisStore({ link, log, layout: 'tagged' })
    onTestFinished(() => store.close())
    const load = startLoad(store.counters, ['s0', 's1', 's2', 's3', 's4', 's5'])
    await pause(500)
    const failedAt = performance.now()
    if (how === 'killed') await master.kill()
    else master.suspend()
    while (!(await hasNewMaster())) await pause(20)
    const promotedAt = performance.now()
    await pause(3000)
    await load.stop()

    const { longestMs, failures, lastFailureAt } = load.seen
    expect(longestMs).toBeLessThan(1500)
    expect(failures.length).toBeGreaterThan(0)
    expect(failures.filter((error) => !(error instanceof StoreUnavailableError))).toEqual([])
    expect(lastFailureAt - promotedAt).toBeLessThan(2000)
    for (const [subject, times] of load.admitted) {
      const counted = load.counted.get(subject) ?? 0
      // Writes of the last moments before the failure may be lost.
      const atRisk = times.filter((at) => at > failedAt - 1000 && at < failedAt + 50).length
      expect(counted, subject).toBeGreaterThanOrEqual(times.length - atRisk)
      // A failed call may have been counted, in a cluster more than once.
      expect(counted, subject).toBeLessThanOrEqual(times.length + 2 * failures.length)
      expect(times.at(-1), subject).toBeGreaterThan(promotedAt)
    }
  })
})
