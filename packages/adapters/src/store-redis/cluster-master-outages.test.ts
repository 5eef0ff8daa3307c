/** A master of a cluster without a replica that takes over: only calls with its keys fail. */
import { StoreUnavailableError } from '@turnpike/core/ports'
import { consumeQuota, makeMemoryLog } from '@turnpike/testkit'
import { startRedisCluster } from '@turnpike/testkit/redis-cluster'
import { titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeRedisStore, openRedisConnection } from './store-redis.ts'

const quota = { max: 1e9, renewalSeconds: 3600 }
const subjects = Array.from({ length: 30 }, (_, i) => `s${i}`)

async function setUp() {
  // Servers of a cluster with full coverage reject all keys while a master is missing.
  const cluster = await startRedisCluster({ args: ['--cluster-require-full-coverage', 'no'] })
  onTestFinished(() => cluster.close())
  const log = makeMemoryLog()
  const connection = openRedisConnection({ redis: { addresses: cluster.servers, cluster: true }, log })
  await connection.ready(15_000)
  const store = makeRedisStore({ connection, log, layout: 'tagged' })
  onTestFinished(() => store.close())
  const { master } = await cluster.shardOf(`quota-{${subjects[0]}}`)
  const shards = await Promise.all(subjects.map((subject) => cluster.shardOf(`quota-{${subject}}`)))
  const lost = subjects.filter((_, i) => shards[i]?.master === master)
  const others = subjects.filter((_, i) => shards[i]?.master !== master)
  const count = (subject: string) => consumeQuota(store.counters, subject, quota, 1)
  return { master, lost, others, connection, log, count }
}

describe.skipIf(withoutRedis)(titleWithRedis('a master of a cluster does not reply'), { timeout: 60_000 }, () => {
  it('calls with its keys fail at once, calls with other keys succeed, and it is used again when it replies', async () => {
    const { master, lost, others, connection, log, count } = await setUp()
    await Promise.all(subjects.map(count))
    master.suspend()
    onTestFinished(() => master.resume())
    const first = await Promise.allSettled(subjects.map(count))
    const failed = subjects.filter((_, i) => first[i]?.status === 'rejected')
    expect(failed).toEqual(lost)

    for (let i = 0; i < 20; i++) {
      const rejectedAt = performance.now()
      for (const subject of lost) await expect(count(subject)).rejects.toBeInstanceOf(StoreUnavailableError)
      expect(performance.now() - rejectedAt).toBeLessThan(500)
      for (const subject of others) await count(subject)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(connection.counts()).toMatchObject({ up: false, outages: 1 })

    master.resume()
    await expect.poll(() => connection.counts().up).toBe(true)
    await Promise.all(subjects.map(count))
    const address = `${master.host}:${master.port}`
    expect(log.lines.map(({ message, fields }) => [message, fields?.['master']])).toEqual([
      ['Redis is unavailable', address],
      ['Redis is available again', address],
    ])
  })
})
