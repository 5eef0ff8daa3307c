/**
 * Chaos: random errors of the store, upstreams that break their responses and die, clients that hang up, and reloads of
 * valid and broken definitions, all at once. No error stays without a handler, and afterwards everything is served.
 *
 * `npm run check` runs it for a minute: `TURNPIKE_CHAOS_SECONDS`. `TURNPIKE_CHAOS_SEED` repeats the draws of a run; the order
 * of concurrent work is that of the machine.
 */
import { connect } from 'node:net'
import { systemClock } from '@turnpike/adapters/clock-system'
import { makeMemoryStore } from '@turnpike/core/store-memory'
import { type RedisServer, startRedisServer, titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGateway } from '../src/gateway/create-gateway.ts'
import { defineApi } from '../src/gateway/define-api.ts'
import type { DefinitionDocument } from '../src/gateway/document-types.ts'
import type { Gateway } from '../src/gateway/gateway.ts'
import { makeFaultyStore, makeRandom } from './support/faulty-store.ts'
import { startHostileUpstream } from './support/hostile-upstream.ts'

const seconds = Number(process.env['TURNPIKE_CHAOS_SECONDS'] ?? 3)
const seed = Number(process.env['TURNPIKE_CHAOS_SEED'] ?? Date.now() % 1e9)
const secret = 'management'
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const apisFor = (port: number): DefinitionDocument[] => {
  const target = `http://127.0.0.1:${port}/`
  const plain = { target, orgId: 'acme' }
  const cached = { cache_options: { enable_cache: true, cache_timeout: 1, cache_all_safe_requests: true } }
  return [
    defineApi({ ...plain, id: 'open', open: true }),
    defineApi({ ...plain, id: 'keyed', more: { enable_batch_request_support: true } }),
    defineApi({ ...plain, id: 'cached', open: true, more: cached }),
    defineApi({ ...plain, id: 'basic', more: { use_standard_auth: false, use_basic_auth: true } }),
  ]
}
const session = {
  ...{ org_id: 'acme', rate: 1e6, per: 1, quota_max: 1e6, quota_renewal_rate: 3600 },
  access_rights: { keyed: { api_id: 'keyed', versions: ['Default'] } },
}

/** Errors of the process that no code handles, while the test runs. */
function watchUnhandled(): unknown[] {
  const unhandled: unknown[] = []
  const add = (cause: unknown) => void unhandled.push(cause)
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(event, add)
    onTestFinished(() => void process.off(event, add))
  }
  return unhandled
}

interface Target {
  readonly gateway: Gateway
  readonly port: number
  readonly random: () => number
  readonly key: string
}

const requests = (key: string): readonly string[] => {
  const batch = JSON.stringify({
    requests: [
      { method: 'GET', relative_url: 'a' },
      { method: 'GET', relative_url: 'b' },
    ],
  })
  const head = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: ${key}\r\n${more}\r\n`
  return [
    head('GET /open/x'),
    head('GET /keyed/x'),
    head('GET /cached/x'),
    head('GET /cached/y', 'Range: bytes=0-0\r\n'),
    head('GET /basic/x').replace(key, `Basic ${btoa('who:what')}`),
    head(
      'GET /keyed/ws',
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: aaaaaaaaaaaaaaaaaaaaaa==\r\n',
    ),
    `${head('POST /keyed/svc/batch/', `Content-Length: ${batch.length}\r\n`)}${batch}`,
    `${head('POST /keyed/x', 'Transfer-Encoding: chunked\r\n')}5\r\nhello\r\n0\r\n\r\n`,
    `${head('POST /open/x', 'Content-Length: 100\r\n')}half`,
    '\0\u0001 nonsense\r\n\r\n',
  ]
}

/** Sends one request and sometimes hangs up. Resolves when the connection is over. */
function playRequest({ port, random, key }: Target): Promise<void> {
  const all = requests(key)
  const text = all[Math.floor(random() * all.length)] ?? ''
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => void socket.write(text))
    const end = () => socket.destroy()
    socket.on('error', () => {}).on('close', () => resolve())
    if (random() < 0.3) setTimeout(end, random() * 20)
    else socket.once('data', () => setTimeout(end, random() * 5))
    setTimeout(end, 400)
  })
}

async function playManagement({ gateway, random }: Target): Promise<void> {
  const call = (method: string, url: string, body?: object) =>
    gateway.inject({
      ...{ method, url, headers: { 'x-svc-authorization': secret } },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const id = `key-${Math.floor(random() * 5)}`
  const broken = { api_id: 'broken', name: 'broken', proxy: { listen_path: 5 } }
  const calls: readonly (() => Promise<unknown>)[] = [
    () => call('POST', `/svc/keys/${id}`, session),
    () => call('DELETE', `/svc/keys/${id}?org_id=acme`),
    () => call('GET', '/svc/keys'),
    () => call('POST', '/svc/org/keys/acme', session),
    () => call('DELETE', '/svc/cache/cached'),
    () => call('GET', '/svc/reload?block=true'),
    () => call('POST', '/svc/apis', random() < 0.5 ? broken : { ...broken, proxy: { listen_path: '/broken/' } }),
    () => gateway.reload().catch(() => {}),
    () => call('GET', '/ready'),
  ]
  await calls[Math.floor(random() * calls.length)]?.()
}

/** Plays everything at once. `faults` runs beside it until the time is over. */
async function play(target: Target, faults: () => Promise<void>): Promise<void> {
  const until = Date.now() + seconds * 1000
  const lane = async (step: () => Promise<unknown>) => {
    while (Date.now() < until) {
      await step()
      await pause(1)
    }
  }
  const clients = Array.from({ length: 8 }, () => lane(() => playRequest(target)))
  await Promise.all([...clients, lane(() => playManagement(target)), lane(faults)])
}

async function expectService({ gateway, key }: Target): Promise<void> {
  const status = async (url: string) => (await gateway.inject({ url, headers: { Authorization: key } })).status
  const all = async () => [await status('/open/x'), await status('/keyed/x'), await status('/cached/z')]
  await expect.poll(all, { timeout: 20_000 }).toEqual([200, 200, 200])
}

async function openTarget(random: () => number, upstreamPort: number, options: object): Promise<Target> {
  const definitions = apisFor(upstreamPort)
  const gateway = await createGateway({ definitions: () => definitions, log: 'silent', frontEnd: 'http1', ...options })
  onTestFinished(() => gateway.close(0))
  const { port } = await gateway.listen(0, '127.0.0.1')
  const created = await gateway.inject({
    ...{ method: 'POST', url: '/svc/keys/create', headers: { 'x-svc-authorization': secret } },
    body: JSON.stringify(session),
  })
  return { gateway, port, random, key: JSON.parse(created.text()).key }
}

const limits = { timeout: seconds * 1000 + 90_000, retry: 0 }

it(`a store that fails at random (seed ${seed})`, limits, async () => {
  const unhandled = watchUnhandled()
  const random = makeRandom(seed)
  const faulty = makeFaultyStore(makeMemoryStore({ clock: systemClock }), random)
  const upstream = await startHostileUpstream(random)
  onTestFinished(() => upstream.kill())
  const target = await openTarget(random, upstream.port, {
    config: { secret, enable_analytics: true },
    store: faulty.store,
  })
  upstream.chance = 0.4
  await play(target, async () => {
    faulty.chance = random() < 0.3 ? 0 : 0.3
    if (random() < 0.2) {
      await upstream.kill()
      await pause(50)
      await upstream.start()
    }
    await pause(200)
  })
  faulty.chance = 0
  upstream.chance = 0
  await expectService(target)
  expect(unhandled).toEqual([])
  expect(faulty.failures).toBeGreaterThan(3)
})

describe.skipIf(withoutRedis)(titleWithRedis('Redis'), () => {
  it(`that is killed and suspended (seed ${seed})`, limits, async () => {
    const unhandled = watchUnhandled()
    const random = makeRandom(seed)
    const redis: RedisServer = await startRedisServer()
    const upstream = await startHostileUpstream(random)
    onTestFinished(async () => {
      await upstream.kill()
      await redis.close()
    })
    const storage = { type: 'redis', host: redis.host, port: redis.port }
    const target = await openTarget(random, upstream.port, { config: { secret, storage, enable_analytics: true } })
    upstream.chance = 0.4
    await play(target, async () => {
      if (random() < 0.5) {
        redis.suspend()
        await pause(300)
        redis.resume()
      } else {
        await redis.kill()
        await redis.start()
      }
      await pause(300)
    })
    upstream.chance = 0
    // A killed Redis without a file has lost the key.
    const key = await expect
      .poll(() => createKey(target), { timeout: 20_000 })
      .toMatch(/./)
      .then(() => createKey(target))
    await expectService({ ...target, key })
    expect(unhandled).toEqual([])
  })
})

async function createKey({ gateway }: Target): Promise<string> {
  const response = await gateway.inject({
    ...{ method: 'POST', url: '/svc/keys/create', headers: { 'x-svc-authorization': secret } },
    body: JSON.stringify(session),
  })
  return response.status === 200 ? JSON.parse(response.text()).key : ''
}
