/**
 * Two gateway processes share a Redis Cluster or a Redis with Sentinel, and its master fails under the load of HTTP
 * clients. `TURNPIKE_ALL_FAILOVERS=1` runs every kind of failure on both.
 */
import http from 'node:http'
import {
  type FailingMaster,
  partitionMethod,
  startClusterWithMaster,
  startSentinelWithMaster,
} from '@turnpike/testkit/failing-master'
import { titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { describe, expect, it } from 'vitest'
import { keyedApi, makeFolder, sessionFor } from './support/folder.ts'
import { type RunningGateway, startGateway } from './support/process.ts'
import { startRecordingUpstream } from './support/upstream.ts'

type AtEnd = (close: () => Promise<void>) => void
type Failure = 'kill' | 'pause' | 'partition' | 'partition from the other servers'

interface Seen {
  readonly key: string
  readonly status: number
  readonly ms: number
  /** When the response arrived. */
  readonly at: number
}

const ids = ['k0', 'k1', 'k2', 'k3', 'k4', 'k5']
/** The name of a key that is created with an id. */
const keyOf = (id: string) => Buffer.from(JSON.stringify({ org: 'acme', id, h: 'sha256' })).toString('base64')
const keys = ids.map(keyOf)
const quota = 100
/** Sentinels ask servers for their role once a second, and then report the new master. */
const noticedMs = 1500
/** Requests of the last moments before a failure may be lost, because replication is asynchronous. */
const replicationMs = 200

const cluster = () => startClusterWithMaster(`apikey-{${keys[0]}}`, { canPartition: true })
const sentinel = () => startSentinelWithMaster({ canPartition: true })

const cases: readonly (readonly [Failure, string, () => Promise<FailingMaster>])[] = [
  ['kill', 'a cluster', cluster],
  ['partition', 'a cluster', cluster],
  ['pause', 'a set-up with Sentinel', sentinel],
  ['partition from the other servers', 'a set-up with Sentinel', sentinel],
]
const longCases: typeof cases = [
  ['pause', 'a cluster', cluster],
  ['partition from the other servers', 'a cluster', cluster],
  ['kill', 'a set-up with Sentinel', sentinel],
  ['partition', 'a set-up with Sentinel', sentinel],
]

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

async function startGateways(redis: FailingMaster, config: object, atEnd: AtEnd): Promise<RunningGateway[]> {
  const upstream = await startRecordingUpstream()
  atEnd(() => upstream.close())
  const addrs = redis.addresses.map(({ host, port }) => `${host}:${port}`)
  const { masterName } = redis
  const kind = masterName === undefined ? { enable_cluster: true } : { master_name: masterName }
  const storage = { type: 'redis', layout: 'tagged', addrs, ...kind }
  const folder = makeFolder({ hash_keys: false, node_secret: 'one text', storage, ...config })
  atEnd(async () => folder.remove())
  folder.write('apps/keyed.json', keyedApi('keyed', upstream.url))
  const gateways = await Promise.all([startGateway(folder), startGateway(folder)])
  for (const gateway of gateways) {
    atEnd(async () => {
      gateway.child.kill('SIGKILL')
      await gateway.ended
    })
  }
  for (const { port } of gateways) {
    const ready = () => fetch(`http://127.0.0.1:${port}/ready`).then(({ status }) => status)
    await expect.poll(ready).toBe(200)
  }
  for (const id of ids) {
    const session = { ...sessionFor('keyed'), rate: 1e6, quota_max: quota, quota_renewal_rate: 36_000 }
    const { status, body } = await (gateways[0] as RunningGateway).manage('POST', `/svc/keys/${id}`, session)
    expect([status, (body as { key: string }).key]).toEqual([200, keyOf(id)])
  }
  return gateways
}

/** Clients of all gateways that send requests with all keys, one after the other, until `stop`. */
function startLoad(gateways: readonly RunningGateway[]) {
  const seen: Seen[] = []
  let stopped = false
  const agent = new http.Agent({ keepAlive: true })
  const request = (port: number, key: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { Authorization: key }
      const sent = http.get({ agent, port, host: '127.0.0.1', path: '/keyed/x', headers }, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
      })
      sent.on('error', reject)
    })
  const client = async ({ port }: RunningGateway, key: string) => {
    while (!stopped) {
      const startedAt = performance.now()
      const status = await request(port, key)
      const at = performance.now()
      seen.push({ key, status, ms: at - startedAt, at })
      await pause(20)
    }
  }
  const clients = Promise.all(gateways.flatMap((gateway) => keys.map((key) => client(gateway, key))))
  return {
    seen,
    async stop() {
      stopped = true
      await clients
      agent.destroy()
    },
  }
}

async function fail(master: FailingMaster['master'], how: Failure): Promise<void> {
  if (how === 'kill') await master.kill()
  else if (how === 'pause') master.suspend()
  else await master.partition(how === 'partition' ? 'all' : 'servers')
}

/** Lets the master fail under load and waits for its successor. */
async function runFailure(redis: FailingMaster, gateways: readonly RunningGateway[], how: Failure) {
  const load = startLoad(gateways)
  await pause(700)
  const failedAt = performance.now()
  await fail(redis.master, how)
  while (!(await redis.hasNewMaster())) await pause(20)
  const promotedAt = performance.now()
  await pause(2500)
  return { ...load, failedAt, promotedAt }
}

async function expectCleanEnd(gateways: readonly RunningGateway[]): Promise<void> {
  for (const gateway of gateways) expect(gateway.isAlive()).toBe(true)
  expect(await Promise.all(gateways.map((gateway) => gateway.stop()))).toEqual([0, 0])
}

const title = titleWithRedis(`two gateways after a failure of the master, partitions ${partitionMethod}`)
// One after the other: each starts nine to fourteen processes, and all at once they exceed the limits of time below.
describe.skipIf(withoutRedis)(title, { timeout: 90_000 }, () => {
  const all = process.env['TURNPIKE_ALL_FAILOVERS'] ? [...cases, ...longCases] : cases
  it.for(all)('%s in %s', async ([how, , start], { onTestFinished }) => {
    const redis = await start()
    onTestFinished(redis.close)
    const gateways = await startGateways(redis, {}, onTestFinished)
    const { seen, stop, failedAt, promotedAt } = await runFailure(redis, gateways, how)
    const usedUp = () => keys.every((key) => seen.findLast((one) => one.key === key)?.status === 403)
    for (const end = performance.now() + 40_000; !usedUp() && performance.now() < end; ) await pause(50)
    await stop()

    expect(Math.max(...seen.map(({ ms }) => ms))).toBeLessThan(1500)
    expect(seen.filter(({ status }) => ![200, 403, 503].includes(status))).toEqual([])
    const rejected = seen.filter(({ status }) => status === 503)
    expect(rejected.filter(({ at }) => at < failedAt)).toEqual([])
    expect((rejected.at(-1)?.at ?? 0) - promotedAt).toBeLessThan(2000)
    // docs/redis.md#failover: what only the old master counted.
    const aloneMs = how === 'partition from the other servers' ? promotedAt - failedAt + noticedMs : 50
    // The key of the failed master. Those of other masters are served meanwhile, and may have no quota left by then.
    expect(seen.some(({ key, status, at }) => key === keys[0] && status === 200 && at > promotedAt)).toBe(true)
    for (const key of keys) {
      const admitted = seen.filter((one) => one.key === key && one.status === 200)
      const atRisk = admitted.filter(({ at }) => at > failedAt - replicationMs && at < failedAt + aloneMs)
      expect(admitted.length, key).toBeLessThanOrEqual(quota + atRisk.length)
      expect(usedUp(), `${key} has no quota left`).toBe(true)
    }
    await expectCleanEnd(gateways)
  })

  it('with storage_outage "allow" every request passes', async ({ onTestFinished }) => {
    const redis = await sentinel()
    onTestFinished(redis.close)
    const gateways = await startGateways(redis, { storage_outage: 'allow' }, onTestFinished)
    const { seen, stop, failedAt, promotedAt } = await runFailure(redis, gateways, 'kill')
    await stop()

    expect(Math.max(...seen.map(({ ms }) => ms))).toBeLessThan(1500)
    const during = seen.filter(({ at }) => at > failedAt && at < promotedAt)
    expect(during.length).toBeGreaterThan(0)
    expect([...new Set(during.map(({ status }) => status))]).toEqual([200])
    expect(seen.filter(({ status }) => status !== 200 && status !== 403)).toEqual([])
    await expectCleanEnd(gateways)
  })
})
