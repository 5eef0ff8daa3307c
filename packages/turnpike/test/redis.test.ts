/** Gateways on one Redis, in this process: the commands of a request, the signals between nodes, and the effect of an outage. */
import { systemClock } from '@turnpike/adapters/clock-system'
import { makeFakeUpstream, makeMemoryLog } from '@turnpike/testkit'
import { type RedisServer, startRedisServer, titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createGateway } from '../src/gateway/create-gateway.ts'
import { defineApi } from '../src/gateway/define-api.ts'
import type { ConfigDocument } from '../src/gateway/document-types.ts'
import { watchCommands } from './support/redis-monitor.ts'

const patience = { timeout: 20_000 }
const secret = 'management'
const admin = { 'x-svc-authorization': secret }
const apis = [
  defineApi({ id: 'keyed', target: 'http://upstream.test', orgId: 'acme' }),
  defineApi({ id: 'open', target: 'http://upstream.test', orgId: 'acme', open: true }),
]
const session = {
  org_id: 'acme',
  rate: 1000,
  per: 60,
  quota_max: 1000,
  quota_renewal_rate: 3600,
  access_rights: { keyed: { api_id: 'keyed', versions: ['Default'] } },
}

const name = titleWithRedis('gateways on one Redis')
describe.skipIf(withoutRedis)(name, () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedisServer()
  })
  afterAll(() => server.close())
  beforeEach(() => server.flush())

  const node = async (config: ConfigDocument = {}, at: { host: string; port: number } = server) => {
    const log = makeMemoryLog()
    const upstream = makeFakeUpstream(systemClock)
    const gateway = await createGateway({
      config: { secret, storage: { type: 'redis', host: at.host, port: at.port }, ...config },
      definitions: apis,
      upstream,
      log,
    })
    onTestFinished(() => gateway.close(0))
    const manage = (method: string, url: string, body?: object) =>
      gateway.inject({ method, url, headers: admin, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const ask = async (key: string, url = '/keyed/x') =>
      (await gateway.inject({ url, headers: { Authorization: key } })).status
    const newKey = async (more: object = {}) =>
      JSON.parse((await manage('POST', '/svc/keys/create', { ...session, ...more })).text()).key as string
    return { gateway, log, manage, ask, newKey }
  }

  it.each([
    ['the default limiter', {}],
    ['the rolling window', { enable_redis_rolling_limiter: true }],
    ['the sentinel', { enable_sentinel_rate_limiter: true }],
    ['fixed windows', { enable_fixed_window_rate_limiter: true }],
  ])('a keyed request with rate and quota is one command: %s', async (_, config) => {
    const { ask, newKey } = await node(config)
    const key = await newKey()
    const commandsOf = async (requests: number) => {
      const watch = await watchCommands(server)
      for (let i = 0; i < requests; i++) expect(await ask(key)).toBe(200)
      // Beside the requests: the time of Redis, notices of the node, and what is left of quotas once a second.
      return (await watch.stop()).filter((command) => !/^(time|publish|get|ping|set)$/.test(command))
    }
    // The node receives its own signal and reads the session again.
    await expect.poll(() => commandsOf(1), patience).toEqual(['evalsha'])
    const commands = await commandsOf(10)
    expect(commands.length).toBeLessThan(13)
    expect(new Set(commands)).toEqual(new Set(['evalsha']))
  })

  it('requests over the rate spend no quota', async () => {
    const { ask, newKey } = await node({ enable_redis_rolling_limiter: true })
    const key = await newKey({ rate: 2 })
    expect([await ask(key), await ask(key), await ask(key), await ask(key)]).toEqual([200, 200, 429, 429])
    expect(await server.command(`GET quota-${key}`)).toBe('$1')
  })

  it('a quota is exact from the first requests on, over all nodes', async () => {
    const nodes = [await node(), await node(), await node()]
    const key = await nodes[0]?.newKey({ quota_max: 10 })
    const all = Array.from({ length: 60 }, (_, i) => nodes[i % 3]?.ask(key ?? ''))
    const passed = (await Promise.all(all)).filter((status) => status === 200)
    expect(passed).toHaveLength(10)
  })

  it('a key that is deleted or changed on one node is so on the others, by signal', async () => {
    const [first, second] = [await node(), await node()]
    const key = await first.newKey()
    expect(await second.ask(key)).toBe(200)
    await first.manage('PUT', `/svc/keys/${key}`, { ...session, is_inactive: true })
    await expect.poll(() => second.ask(key), patience).toBe(403)
    await first.manage('PUT', `/svc/keys/${key}`, session)
    await expect.poll(() => second.ask(key), patience).toBe(200)
    await first.manage('DELETE', `/svc/keys/${key}`)
    await expect.poll(() => second.ask(key), patience).toBe(403)
  })

  it('what a node with hashed keys stores, the others read', async () => {
    const config = { hash_keys: true, hash_key_function: 'sha256' }
    const [first, second] = [await node(config), await node(config)]
    const key = await first.newKey()
    expect(await second.ask(key)).toBe(200)
  })

  describe('while Redis is unavailable', () => {
    const lone = async (config: ConfigDocument = {}) => {
      const own = await startRedisServer()
      onTestFinished(() => own.close())
      const made = await node(config, own)
      return { own, ...made, key: await made.newKey() }
    }

    it('keyed requests are rejected, management calls say why, and all is well again by itself', async () => {
      const { own, ask, manage, key } = await lone({ liveness_check: { check_duration: 100_000_000 } })
      expect(await ask(key)).toBe(200)
      await own.kill()
      await expect.poll(() => ask(key), patience).toBe(503)
      expect(await ask('', '/open/x')).toBe(200)
      const made = await manage('POST', '/svc/keys/create', session)
      expect([made.status, JSON.parse(made.text()).message]).toEqual([
        500,
        'Failed to create key - storage: Redis is either down or was not configured',
      ])
      expect((await manage('GET', '/svc/keys')).status).toBe(503)
      expect((await manage('GET', '/svc/reload/group')).status).toBe(503)
      await expect.poll(async () => (await manage('GET', '/ready')).status, patience).toBe(503)
      await expect
        .poll(async () => JSON.parse((await manage('GET', '/hello')).text()), patience)
        .toMatchObject({ status: 'fail', details: { redis: { status: 'fail' } } })

      await own.start()
      await expect.poll(async () => (await manage('POST', '/svc/keys/create', session)).status, patience).toBe(200)
      await expect.poll(async () => (await manage('GET', '/ready')).status, patience).toBe(200)
      expect((await manage('GET', '/svc/reload/group')).status).toBe(200)
    })

    it('keyed requests pass where the operator wants it so', async () => {
      const { own, ask, key } = await lone({ storage_outage: 'allow' })
      await own.kill()
      for (let i = 0; i < 5; i++) expect(await ask(key)).toBe(200)
    })

    it('a gateway starts without it, and takes keys when it is there', async () => {
      const own = await startRedisServer()
      onTestFinished(() => own.close())
      await own.kill()
      const { ask, manage } = await node({}, own)
      expect(await ask('', '/open/x')).toBe(200)
      expect(await ask('acmesome-key')).toBe(503)
      await own.start()
      await expect.poll(async () => (await manage('POST', '/svc/keys/create', session)).status, patience).toBe(200)
    })

    it('at the memory limit of Redis it is an outage with one line, which ends by itself', async () => {
      const { own, ask, manage, log, key } = await lone({ liveness_check: { check_duration: 100_000_000 } })
      expect(await ask(key)).toBe(200)
      await own.command('CONFIG SET maxmemory 1')
      await expect.poll(() => ask(key), patience).toBe(503)
      await expect.poll(async () => (await manage('GET', '/ready')).status, patience).toBe(503)
      for (let i = 0; i < 20; i++) {
        expect(await ask(key)).toBe(503)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      expect(await ask('', '/open/x')).toBe(200)
      expect((await manage('POST', '/svc/keys/create', session)).status).toBe(500)
      expect((await manage('GET', `/svc/keys/${key}`)).status).toBe(200)

      await own.command('CONFIG SET maxmemory 0')
      await expect.poll(() => ask(key), patience).toBe(200)
      await expect.poll(async () => (await manage('GET', '/ready')).status, patience).toBe(200)
      await expect.poll(() => log.lines.at(-1)?.message, patience).toBe('Redis accepts writes again')
      const lines = log.lines.map(({ level, message }) => `${level}: ${message}`)
      expect(lines.filter((line) => /^[^:]*: Redis/.test(line))).toEqual([
        'error: Redis rejects writes',
        'warn: Redis accepts writes again',
      ])
    })

    it('a Redis that is held hangs nobody', async () => {
      const { own, ask, key } = await lone()
      expect(await ask(key)).toBe(200)
      own.suspend()
      const askedAt = performance.now()
      const statuses = await Promise.all(Array.from({ length: 20 }, () => ask(key)))
      expect(new Set(statuses)).toEqual(new Set([503]))
      expect(performance.now() - askedAt).toBeLessThan(6000)
      own.resume()
      await expect.poll(() => ask(key), patience).toBe(200)
    })
  })
})
