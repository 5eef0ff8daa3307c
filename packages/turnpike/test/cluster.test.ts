/** Four gateway processes on one real Redis: what the simulated cluster promises, seen from outside. */
import { type RedisServer, startRedisServer, titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Folder, gatewayConfig, keyedApi, makeFolder, sessionFor } from './support/folder.ts'
import { freePort, type RunningGateway, startGateway } from './support/process.ts'
import { type RecordingUpstream, startRecordingUpstream } from './support/upstream.ts'

const soon = { timeout: 60_000 }

describe.skipIf(withoutRedis)(titleWithRedis('four nodes on one Redis'), () => {
  let redis: RedisServer
  let upstream: RecordingUpstream
  const folders: Folder[] = []
  const nodes: RunningGateway[] = []
  beforeAll(async () => {
    redis = await startRedisServer()
    upstream = await startRecordingUpstream()
    for (let i = 0; i < 4; i++) {
      const folder = makeFolder()
      const storage = { type: 'redis', host: redis.host, port: redis.port }
      folder.write(
        'gateway.json',
        gatewayConfig({ listen_port: await freePort(), storage, enable_redis_rolling_limiter: true }),
      )
      folder.write('apps/keyed.json', keyedApi('keyed', upstream.url))
      folders.push(folder)
      nodes.push(await startGateway(folder, ['--no-requests']))
    }
  }, 120_000)
  afterAll(async () => {
    for (const node of nodes) node.child.kill('SIGKILL')
    await Promise.all(nodes.map((node) => node.ended))
    await redis.close()
    await upstream.close()
    for (const folder of folders) folder.remove()
  })

  const makeKey = async (limits: object): Promise<string> => {
    const made = await nodes[0]?.client.keys.createKey({ body: { ...sessionFor('keyed'), ...limits } })
    if (made?.ok !== true) throw new Error(`no key was made: ${made?.message}`)
    return made.value.key ?? ''
  }
  const ask = async (node: RunningGateway, key: string): Promise<number> => {
    const response = await fetch(`${node.url}/keyed/a`, { headers: { Authorization: key } })
    await response.arrayBuffer()
    return response.status
  }
  /** Sends `times` requests to each node, all nodes in parallel. */
  const crowd = (key: string, times: number) =>
    Promise.all(nodes.flatMap((node) => Array.from({ length: times }, () => ask(node, key))))

  it.each([
    ['quota', (most: number) => ({ rate: 0, per: 0, quota_max: most, quota_renewal_rate: 3600 })],
    ['rate', (most: number) => ({ rate: most, per: 3600, quota_max: -1 })],
  ])('admit exactly the %s of a fresh key, fifty times', { timeout: 120_000 }, async (_, limits) => {
    for (let round = 0; round < 50; round++) {
      const most = 4 * (1 + (round % 3))
      const statuses = await crowd(await makeKey(limits(most)), (10 * most) / 4)
      expect(statuses.filter((status) => status === 200).length).toBe(most)
    }
  })

  it('hang nobody while Redis is killed and started again twenty times, and serve again each time', {
    timeout: 180_000,
  }, async () => {
    const limits = { rate: 0, per: 0, quota_max: 1_000_000, quota_renewal_rate: 3600 }
    let key = await makeKey(limits)
    let slowest = 0
    let load = true
    const statuses = new Map<number, number>()
    const asking = nodes.map(async (node) => {
      while (load) {
        const began = Date.now()
        const status = await ask(node, key)
        slowest = Math.max(slowest, Date.now() - began)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })
    for (let round = 0; round < 20; round++) {
      await redis.kill()
      await redis.start()
      // What was in it is gone: a node that answers can make a key, and all nodes know it.
      const remake = async () => {
        key = await makeKey(limits)
      }
      await expect.poll(() => remake().then(() => 'made', String), soon).toBe('made')
      await expect.poll(async () => (await crowd(key, 1)).every((status) => status === 200), soon).toBe(true)
    }
    load = false
    await Promise.all(asking)
    expect([...statuses.keys()].filter((status) => ![200, 403, 503].includes(status))).toEqual([])
    expect(statuses.get(200)).toBeGreaterThan(20)
    // The deadline of a call is far below; the rest is for a machine with other work.
    expect(slowest).toBeLessThan(15_000)
  })

  it('admit a key no more than its quota for each life of Redis, which keeps nothing here', {
    timeout: 120_000,
  }, async () => {
    const most = 10
    const key = await makeKey({ rate: 0, per: 0, quota_max: most, quota_renewal_rate: 3600 })
    let admitted = 0
    let load = true
    const asking = nodes.map(async (node) => {
      while (load) if ((await ask(node, key)) === 200) admitted += 1
    })
    const lives = 4
    for (let life = 1; life < lives; life++) {
      await redis.kill()
      await redis.start()
      // A node serves again once it found Redis back; another key shows that.
      await expect.poll(() => makeKey({ quota_max: -1 }).then(() => 'made', String), soon).toBe('made')
    }
    load = false
    await Promise.all(asking)
    expect(admitted).toBeLessThanOrEqual(lives * most)
  })

  it('converge after a group reload that was requested while Redis was down', {
    timeout: 120_000,
  }, async () => {
    for (const folder of folders) folder.write('apps/other.json', keyedApi('other', upstream.url))
    await redis.kill()
    const away = await nodes[0]?.manage('GET', '/svc/reload/group')
    expect(away?.status).toBe(503)
    await redis.start()
    await expect.poll(async () => (await nodes[1]?.manage('GET', '/svc/reload/group'))?.status, soon).toBe(200)
    interface Nodes {
      readonly converged: boolean
      readonly nodes: readonly { readonly apis: number }[]
    }
    const seen = async () => (await nodes[2]?.manage('GET', '/svc/nodes'))?.body as Nodes
    await expect.poll(async () => (await seen()).nodes?.map(({ apis }) => apis), soon).toEqual([2, 2, 2, 2])
    expect((await seen()).converged).toBe(true)
  })
})
