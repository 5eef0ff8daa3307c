/** Several processes on one port and one Redis, as an operator runs them. */

import { type RedisServer, startRedisServer, titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unwrap } from '../src/client/index.ts'
import { type Folder, gatewayConfig, keyedApi, makeFolder, openApi, sessionFor } from './support/folder.ts'
import { frontEnds } from './support/front-ends.ts'
import { finished, freePort, startForTest } from './support/process.ts'
import { type RecordingUpstream, startRecordingUpstream } from './support/upstream.ts'

const soon = { timeout: 30_000 }
const pidsIn = (text: string) => /\d workers serve \(([\d, ]+)\)/.exec(text)?.[1]?.split(', ').map(Number) ?? []

describe('workers', () => {
  it('with storage in memory are rejected with the field and the fix', async () => {
    const folder = makeFolder({ storage: { type: 'memory' } })
    const { code, err } = await finished(folder.path, ['start', '--conf', 'gateway.json', '--workers', '2'])
    folder.remove()
    expect(code).toBe(1)
    expect(err).toMatch(/workers.*would count apart.*set storage\.type to "lmdb", or workers to 1/)
  })

  it('are a whole number', async () => {
    const folder = makeFolder()
    const { code, err } = await finished(folder.path, ['start', '--conf', 'gateway.json', '--workers', 'many'])
    folder.remove()
    expect([code, err]).toEqual([2, expect.stringContaining('a whole number from 1 to 256, or max')])
  })
})

describe.skipIf(withoutRedis).each(frontEnds)(titleWithRedis('three workers on one Redis, %s'), (frontEnd) => {
  let redis: RedisServer
  let upstream: RecordingUpstream
  let folder: Folder
  beforeEach(async () => {
    redis = await startRedisServer()
    upstream = await startRecordingUpstream()
    folder = makeFolder()
    const storage = { type: 'redis', host: redis.host, port: redis.port }
    const port = await freePort()
    folder.write('gateway.json', gatewayConfig({ listen_port: port, front_end: frontEnd, storage, workers: 3 }))
    folder.write('apps/open.json', openApi('open', upstream.url))
    folder.write('apps/keyed.json', keyedApi('keyed', upstream.url))
  })
  afterEach(async () => {
    await redis.close()
    await upstream.close()
    folder.remove()
  })
  const start = async () => {
    const gateway = await startForTest(folder)
    await expect.poll(() => pidsIn(gateway.out()).length, soon).toBe(3)
    return gateway
  }

  it('admit a key its quota together, exactly', { timeout: 90_000 }, async () => {
    const gateway = await start()
    const session = { ...sessionFor('keyed'), quota_max: 20, quota_renewal_rate: 3600 }
    const { key = '' } = unwrap(await gateway.client.keys.createKey({ body: session }))
    const ask = () => fetch(`${gateway.url}/keyed/a`, { headers: { Authorization: key, Connection: 'close' } })
    const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await ask()).status))
    expect(statuses.filter((status) => status === 200).length).toBe(20)
    expect(statuses.filter((status) => status === 403).length).toBe(80)
    expect(await gateway.stop()).toBe(0)
  })

  it('all receive a group reload and are listed', { timeout: 90_000 }, async () => {
    const gateway = await start()
    folder.write('apps/third.json', openApi('third', upstream.url))
    expect((await gateway.manage('GET', '/svc/reload/group')).status).toBe(200)
    interface Nodes {
      readonly converged: boolean
      readonly nodes: readonly { readonly apis: number }[]
    }
    const nodes = async () => (await gateway.manage('GET', '/svc/nodes')).body as Nodes
    await expect.poll(async () => (await nodes()).nodes.map(({ apis }) => apis), soon).toEqual([3, 3, 3])
    expect((await nodes()).converged).toBe(true)
    const asked = await Promise.all(
      Array.from({ length: 12 }, () => fetch(`${gateway.url}/third/a`, { headers: { Connection: 'close' } })),
    )
    expect(asked.map(({ status }) => status)).toEqual(Array(12).fill(200))
  })

  it('are replaced when they die, and end with their supervisor', { timeout: 90_000 }, async () => {
    const gateway = await start()
    const [victim = 0, ...others] = pidsIn(gateway.out())
    process.kill(victim, 'SIGKILL')
    await expect.poll(() => gateway.err(), soon).toMatch(/worker \d ended \(SIGKILL\); another starts in 100 ms/)
    const status = async () => (await fetch(`${gateway.url}/open/a`, { headers: { Connection: 'close' } })).status
    for (let i = 0; i < 10; i++) expect(await status()).toBe(200)
    gateway.child.kill('SIGKILL')
    const isAlive = (pid: number) => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    await expect.poll(() => others.filter(isAlive), soon).toEqual([])
  })
})
