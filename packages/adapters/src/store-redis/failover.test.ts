/**
 * A master fails under load: it is killed, suspended, or cut off from the other servers, from the clients, or from both.
 * What requests notice, how soon a replica serves them, and what is counted.
 */
import { type FailingMaster, failoverAfterMs, partitionMethod } from '@turnpike/testkit/failing-master'
import { titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { describe, expect, it } from 'vitest'
import { type AtEnd, openStore, pause, startCluster, startLoad, startSentinel } from './testing/failing-master.ts'

const settings = { retry: 1, timeout: 90_000 }
/** Requests of the last moments before a failure may be lost, because replication is asynchronous. */
const replicationMs = 1000
/** Sentinels ask servers for their role once a second, and then report the new master. */
const noticedMs = 1000

/**
 * Lets the master fail while clients count requests, until 2.5 s after another server has replaced it. What the clients
 * counted is bounded, and requests succeed from 2 s after the promotion on.
 */
async function failUnderLoad(redis: FailingMaster, atEnd: AtEnd, fail: (redis: FailingMaster) => Promise<void>) {
  const load = startLoad((await openStore(redis, atEnd)).counters)
  await pause(500)
  const failedAt = performance.now()
  await fail(redis)
  while (!(await redis.hasNewMaster())) await pause(20)
  const promotedAt = performance.now()
  await pause(2500)
  await load.stop()

  load.expectBounded()
  expect(load.lastFailureAt() - promotedAt).toBeLessThan(2000)
  load.expectServedAfter(promotedAt)
  return { load, failedAt, promotedAt }
}

describe.skipIf(withoutRedis).concurrent(titleWithRedis('a failover under load'), settings, () => {
  it.for([
    ['killed', 'a cluster', startCluster],
    ['suspended', 'a cluster', startCluster],
    ['killed', 'a set-up with Sentinel', startSentinel],
    ['suspended', 'a set-up with Sentinel', startSentinel],
  ] as const)('after the master is %s in %s', async ([how, , start], { onTestFinished }) => {
    const redis = await start(onTestFinished)
    const { load, failedAt } = await failUnderLoad(redis, onTestFinished, async ({ master }) => {
      if (how === 'killed') await master.kill()
      else master.suspend()
    })
    load.expectCounted(failedAt - replicationMs, failedAt + 50)
  })
})

const title = titleWithRedis(`a partition under load, ${partitionMethod}`)
describe.skipIf(withoutRedis).concurrent(title, settings, () => {
  it.for([
    ['all', 'a cluster', startCluster],
    ['servers', 'a cluster', startCluster],
    ['all', 'a set-up with Sentinel', startSentinel],
    ['servers', 'a set-up with Sentinel', startSentinel],
  ] as const)('between the master and %s in %s', async ([peers, , start], { onTestFinished }) => {
    const redis = await start(onTestFinished, { canPartition: true })
    const { load, failedAt, promotedAt } = await failUnderLoad(redis, onTestFinished, ({ master }) =>
      master.partition(peers),
    )
    // A master that cannot reach its replicas counts until it notices, or until clients change to the new one.
    const aloneUntil = start === startCluster ? failedAt + 1.5 * failoverAfterMs : promotedAt + noticedMs
    load.expectCounted(failedAt - replicationMs, aloneUntil + 500)
  })

  it('between a master of a cluster and the clients', async ({ onTestFinished }) => {
    const redis = await startCluster(onTestFinished, { canPartition: true })
    const { master, hasNewMaster } = redis
    const load = startLoad((await openStore(redis, onTestFinished)).counters)
    await pause(500)
    await master.partition('clients')
    await pause(3000)
    // The other servers reach the master, so none replaces it.
    expect(await hasNewMaster()).toBe(false)
    await master.heal()
    const healedAt = performance.now()
    await pause(3000)
    await load.stop()

    load.expectBounded()
    expect(load.lastFailureAt() - healedAt).toBeLessThan(2500)
    load.expectCounted(0, 0)
    load.expectServedAfter(healedAt)
  })

  it('between a master with its clients and all others, with min-replicas-to-write', async ({ onTestFinished }) => {
    const args = ['--min-replicas-to-write', '1', '--min-replicas-max-lag', '1']
    const setUp = await startSentinel(onTestFinished, { canPartition: true, args })
    const load = startLoad((await openStore(setUp, onTestFinished)).counters)
    await pause(500)
    const cutAt = performance.now()
    await setUp.master.partition('servers')
    await Promise.all(setUp.others.map((other) => other.partition('clients')))
    await pause(4500)
    // Without these settings it would count until the partition ends.
    const stoppedAt = load.lastAdmittedAt()
    expect(stoppedAt - cutAt).toBeLessThan(3500)
    await Promise.all(setUp.others.map((other) => other.heal()))
    const healedAt = performance.now()
    await pause(3000)
    await load.stop()

    load.expectBounded()
    expect(load.lastFailureAt() - healedAt).toBeLessThan(2500)
    load.expectCounted(cutAt - replicationMs, stoppedAt + 1)
    load.expectServedAfter(healedAt)
  })
})
