/** Outages of Redis: no call exceeds its deadline, and the store recovers by itself. */
import { type RateLimit, StoreUnavailableError } from '@turnpike/core/ports'
import { consumeRate, makeMemoryLog } from '@turnpike/testkit'
import { type RedisServer, startRedisServer, titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeRedisStore, openRedisConnection } from './store-redis.ts'

const limit: RateLimit = { algorithm: 'rolling', rate: 1e9, per: 60, smoothing: undefined, oneLess: false }
/** Tolerance beyond the deadline on a loaded machine. */
const slackMs = 5000
const callMs = 500
const patience = { timeout: 20_000 }

async function setUp(redis?: { host: string; port: number }) {
  const server: RedisServer | undefined = redis === undefined ? await startRedisServer() : undefined
  const log = makeMemoryLog()
  const connection = openRedisConnection({
    redis: { addresses: [redis ?? (server as RedisServer)], connectMs: 1000 },
    log,
    callMs,
  })
  const store = makeRedisStore({ connection, log })
  onTestFinished(async () => {
    await store.close()
    await server?.close()
  })
  await connection.ready(redis === undefined ? 15_000 : 100)
  const take = () => Promise.resolve(consumeRate(store.counters, 'k', limit, 1))
  /** Calls the store, checks the deadline, and returns whether the call succeeded. */
  const tryCall = async (): Promise<boolean> => {
    const askedAt = performance.now()
    try {
      await take()
      return true
    } catch (cause) {
      expect(cause).toBeInstanceOf(StoreUnavailableError)
      return false
    } finally {
      expect(performance.now() - askedAt).toBeLessThan(callMs + slackMs)
    }
  }
  return { server: server as RedisServer, log, connection, store, tryCall }
}

describe.skipIf(withoutRedis)(titleWithRedis('outages'), () => {
  it('a Redis that never started is unavailable from the first call', async () => {
    const { tryCall, store, connection } = await setUp({ host: '127.0.0.1', port: 1 })
    expect(await tryCall()).toBe(false)
    expect(connection.counts()).toMatchObject({ up: false, rejected: 1 })
    await expect
      .poll(() => store.check(), patience)
      .toMatchObject({ ok: false, reason: expect.stringContaining('ECONNREFUSED') })
  })

  it('a stopped process makes calls time out, then fail at once, and recovers by itself', async () => {
    const { server, tryCall, log, connection } = await setUp()
    expect(await tryCall()).toBe(true)
    server.suspend()
    expect(await Promise.all([tryCall(), tryCall(), tryCall()])).toEqual([false, false, false])
    const rejectedAt = performance.now()
    for (let i = 0; i < 1000; i++) expect(await tryCall()).toBe(false)
    expect(performance.now() - rejectedAt).toBeLessThan(slackMs)
    server.resume()
    await expect.poll(tryCall, patience).toBe(true)
    expect(connection.counts()).toMatchObject({ up: true, outages: 1 })
    const lines = log.lines.map(({ level, message }) => `${level}: ${message}`)
    expect(lines).toEqual(['error: Redis is unavailable', 'warn: Redis is available again'])
  })

  it('one that is loading data, or a read-only replica, is unavailable', async () => {
    const { server, tryCall } = await setUp()
    expect(await tryCall()).toBe(true)
    await server.command('REPLICAOF 127.0.0.1 1')
    expect(await tryCall()).toBe(false)
    await server.command('REPLICAOF NO ONE')
    await expect.poll(tryCall, patience).toBe(true)
  })

  it('20 restarts under load block no call, and it recovers each time', { timeout: 120_000 }, async () => {
    const { server, tryCall, connection } = await setUp()
    let running = true
    const answered = { yes: 0, no: 0 }
    const lanes = Array.from({ length: 8 }, async () => {
      while (running) {
        answered[(await tryCall()) ? 'yes' : 'no']++
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    })
    for (let i = 0; i < 20; i++) {
      const before = answered.yes
      await expect.poll(() => answered.yes, patience).toBeGreaterThan(before)
      await server.kill()
      const rejected = answered.no
      await expect.poll(() => answered.no, patience).toBeGreaterThan(rejected)
      await server.start()
    }
    await expect.poll(() => connection.counts().up, patience).toBe(true)
    running = false
    await Promise.all(lanes)
    expect(connection.counts().outages).toBe(20)
    expect(await tryCall()).toBe(true)
  })

  it('after closing, every call is rejected', async () => {
    const { store, tryCall } = await setUp()
    await store.close()
    expect(await tryCall()).toBe(false)
  })
})
