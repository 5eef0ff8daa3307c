/** Ports of APIs as an operator meets them: the built command, one process and several. */
import { type RedisServer, startRedisServer, titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Folder, gatewayConfig, makeFolder, openApi } from './support/folder.ts'
import { frontEnds } from './support/front-ends.ts'
import { freePort, refused, startForTest } from './support/process.ts'
import { type RecordingUpstream, startRecordingUpstream } from './support/upstream.ts'

const soon = { timeout: 30_000 }
const statusAt = async (port: number, path: string) =>
  (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Connection: 'close' } })).status

let upstream: RecordingUpstream
let folder: Folder
beforeEach(async () => {
  upstream = await startRecordingUpstream()
  folder = makeFolder()
})
afterEach(async () => {
  await upstream.close()
  folder.remove()
})

describe.each(frontEnds)('a gateway with APIs on ports of their own, %s', (front_end) => {
  it('says where they are, and closes them at SIGTERM', { timeout: 60_000 }, async () => {
    const [http, tcp] = [await freePort(), await freePort()]
    const ports_whitelist = { http: { ports: [http] }, tcp: { ranges: [{ from: tcp, to: tcp }] } }
    folder.write('gateway.json', gatewayConfig({ front_end, ports_whitelist, storage: { type: 'memory' } }))
    folder.write('apps/orders.json', openApi('orders', upstream.url, { listen_port: http }))
    const proxy = { target_url: upstream.url.replace(/^http/, 'tcp') }
    folder.write('apps/raw.json', openApi('raw', '', { listen_port: tcp, protocol: 'tcp', proxy }))
    const gateway = await startForTest(folder)
    await expect.poll(() => gateway.out(), soon).toContain(`:${http}/orders/`)
    await expect.poll(gateway.out).toContain(`tcp :${tcp}`)
    expect([await statusAt(http, '/orders/a'), await statusAt(gateway.port, '/orders/a')]).toEqual([200, 404])
    expect(await statusAt(tcp, '/as/it/is')).toBe(200)
    expect(await gateway.stop()).toBe(0)
    expect([await refused(http), await refused(tcp)]).toEqual([true, true])
  })
})

describe.skipIf(withoutRedis).each(frontEnds)(titleWithRedis('workers on ports of APIs, %s'), (front_end) => {
  let redis: RedisServer
  beforeEach(async () => {
    redis = await startRedisServer()
  })
  afterEach(() => redis.close())

  it('all serve a port that comes, and leave one that goes', { timeout: 90_000 }, async () => {
    const [first, second] = [await freePort(), await freePort()]
    const storage = { type: 'redis', host: redis.host, port: redis.port }
    const listen_port = await freePort()
    const config = { front_end, listen_port, storage, workers: 2, disable_ports_whitelist: true }
    folder.write('gateway.json', gatewayConfig(config))
    const on = (port: number) => openApi('orders', upstream.url, { listen_port: port })
    folder.write('apps/orders.json', on(first))
    const gateway = await startForTest(folder)
    await expect.poll(() => gateway.out(), soon).toContain('2 workers serve')
    const ask = (port: number) => Promise.all(Array.from({ length: 12 }, () => statusAt(port, '/orders/a')))
    expect(await ask(first)).toEqual(Array(12).fill(200))
    folder.write('apps/orders.json', on(second))
    await gateway.manage('GET', '/svc/reload/group')
    await expect.poll(() => refused(first), soon).toBe(true)
    expect(await ask(second)).toEqual(Array(12).fill(200))
    expect(await gateway.stop()).toBe(0)
    expect(await refused(second)).toBe(true)
  })
})
