/** Redis in production topologies: with a password, behind a sentinel, as a cluster. */
import { type RateLimit, type Session, sessionShape } from '@turnpike/core/ports'
import { consumeQuota, consumeRate, makeMemoryLog, plainCounter, rateCounter } from '@turnpike/testkit'
import { startRedisCluster } from '@turnpike/testkit/redis-cluster'
import { type RedisServer, startRedisServer, titleWithRedis, withoutRedis } from '@turnpike/testkit/redis-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeRedisSignals } from '../signals-redis/signals-redis.ts'
import { makeRedisStore, openRedisConnection, type RedisConnectionOptions } from './store-redis.ts'

const patience = { timeout: 25_000 }
const session = (alias: string): Session => ({ ...sessionShape.zero(), alias })
const rolling: RateLimit = { algorithm: 'rolling', rate: 2, per: 60, smoothing: undefined, oneLess: false }

const server = async (options: Parameters<typeof startRedisServer>[0] = {}): Promise<RedisServer> => {
  const started = await startRedisServer(options)
  onTestFinished(() => started.close())
  return started
}

function open(redis: RedisConnectionOptions) {
  const log = makeMemoryLog()
  const connection = openRedisConnection({ redis, log, callMs: 5000 })
  const store = makeRedisStore({ connection, log })
  onTestFinished(() => store.close())
  return { log, connection, store }
}

const name = titleWithRedis('topologies')
describe.skipIf(withoutRedis)(name, () => {
  it('a user and a password are sent, and never logged', async () => {
    const redis = await server({
      args: ['--user', 'gateway', 'on', '>the-password', '~*', '&*', '+@all', '--user', 'default', 'off'],
    })
    const { store, connection } = open({ addresses: [redis], username: 'gateway', password: 'the-password' })
    await expect.poll(() => store.check(), patience).toEqual({ ok: true })
    expect(connection.counts().up).toBe(true)
    const wrong = open({ addresses: [redis], username: 'gateway', password: 'another-password' })
    await expect
      .poll(() => wrong.store.check(), patience)
      .toMatchObject({ ok: false, reason: expect.stringContaining('WRONGPASS') })
    expect(wrong.log.mentions('another-password')).toBe(false)
  })

  it('a sentinel provides the address of the master', async () => {
    const redis = await server()
    const sentinel = await server({ sentinel: [`sentinel monitor main ${redis.host} ${redis.port} 1`] })
    const { store } = open({ addresses: [sentinel], sentinel: { master: 'main' } })
    await expect.poll(() => store.check(), patience).toEqual({ ok: true })
    await store.sessions.put('a', session('x'))
    expect(await redis.command('EXISTS apikey-a')).toBe(':1')
  })

  it('a cluster supports all operations with one key', { timeout: 90_000 }, async () => {
    const cluster = await startRedisCluster()
    onTestFinished(() => cluster.close())
    const redis = { addresses: cluster.servers, cluster: true }
    const { store, connection, log } = open(redis)
    await connection.ready(15_000)
    const names = Array.from({ length: 60 }, (_, i) => `k${i}`)
    await Promise.all(names.map((key) => store.sessions.put(key, session(key))))
    const read = await Promise.all(names.map((key) => store.sessions.get(key)))
    expect(read.map((stored) => stored?.session.alias)).toEqual(names)
    expect((await store.sessions.list('k')).sort()).toEqual([...names].sort())
    const quota = { max: 3, renewalSeconds: 60 }
    const spent = await Promise.all(names.map((key) => consumeQuota(store.counters, key, quota, 1)))
    expect(spent.every(({ remaining }) => remaining === 2)).toBe(true)
    const taken = await Promise.all(names.map(async (key) => consumeRate(store.counters, key, rolling, 1)))
    expect(taken.every(({ remaining }) => remaining === 1)).toBe(true)
    expect((await consumeRate(store.counters, 'k1', { ...rolling, algorithm: 'fixed' }, 1)).allowed).toBe(true)
    // The keys can be on different nodes.
    const both = await store.counters.consume({ ...rateCounter('k1', rolling), quota }, 1)
    expect(both).toMatchObject({ rate: { remaining: 0 }, quota: { remaining: 1 } })
    await store.counters.resetQuotas(names.map(plainCounter))
    expect(await store.counters.readQuota(plainCounter('k7'))).toBeUndefined()
    expect(await store.check()).toEqual({ ok: true })

    const signals = makeRedisSignals({ connection, redis, log })
    onTestFinished(() => signals.close())
    const heard: string[] = []
    signals.subscribe(({ kind }) => heard.push(kind))
    await expect.poll(signals.isListening, patience).toBe(true)
    await signals.publish({ kind: 'reload' })
    await expect.poll(() => heard, patience).toContain('reload')
  })
})
