/** Redis commands, round trips, bytes and CPU time per request for each limiter, against a real redis-server. */

import { type RedisServer, startRedisServer } from '@turnpike/testkit/redis-server'
import { load } from '../measure/wrk.ts'
import { definition, keyed } from '../subjects/definition.ts'
import { withPlainUpstream } from '../subjects/programs.ts'
import { roomySession } from '../subjects/roomy-session.ts'
import { startTurnpike } from '../subjects/turnpike.ts'
import { type CountingProxy, startCountingProxy } from './counting-proxy.ts'
import { commandsBetween, readRedisInfo } from './redis-info.ts'

export interface RedisCost {
  readonly limiter: string
  /** Per request, one after the other. */
  readonly roundTrips: number
  readonly commands: number
  readonly bytesToRedis: number
  readonly bytesFromRedis: number
  /** Calls per request by command, those of scripts included. */
  readonly calls: Readonly<Record<string, number>>
  /** CPU time of redis-server per request under concurrent load, in µs. */
  readonly redisCpuMicros: number
  /** Requests that a call of Redis carries under concurrent load. */
  readonly requestsPerCommand: number
}

interface Limiter {
  readonly name: string
  readonly config: object
  readonly session: object
}

const rateOnly = { ...roomySession('a0'), quota_max: -1 }
const quotaOnly = { ...roomySession('a0'), rate: 0, per: 0 }

const limiters: readonly Limiter[] = [
  { name: 'local rate', config: { drl_threshold: 1 }, session: rateOnly },
  {
    name: 'rolling rate',
    config: { enable_redis_rolling_limiter: true },
    session: { ...rateOnly, rate: 1000, per: 1 },
  },
  { name: 'fixed window rate', config: { enable_fixed_window_rate_limiter: true }, session: rateOnly },
  {
    name: 'sentinel rate',
    config: { enable_sentinel_rate_limiter: true },
    session: { ...rateOnly, rate: 1000, per: 1 },
  },
  { name: 'quota', config: {}, session: quotaOnly },
  {
    name: 'fixed window rate and quota',
    config: { enable_fixed_window_rate_limiter: true },
    session: roomySession('a0'),
  },
]
const keyCount = 200

/** Needs redis-server and wrk. */
export async function measureRedisCosts(quick: boolean, log: (text: string) => void): Promise<RedisCost[]> {
  return withPlainUpstream(async (upstream) => {
    const costs: RedisCost[] = []
    for (const limiter of limiters) {
      log(`Redis per request: ${limiter.name} …`)
      costs.push(await measureOne(limiter, upstream, quick))
    }
    return costs
  })
}

async function measureOne({ name, config, session }: Limiter, upstream: string, quick: boolean): Promise<RedisCost> {
  const redis = await startRedisServer()
  const proxy = await startCountingProxy(redis.port)
  try {
    const storage = { type: 'redis', host: '127.0.0.1', port: proxy.port }
    const gateway = await startTurnpike({ apis: [definition('a0', upstream, keyed)], config: { ...config, storage } })
    try {
      for (let i = 0; i < keyCount; i += 1) await gateway.manage('POST', `/svc/keys/k${i}`, session)
      const single = await oneAfterTheOther(gateway.url, redis, proxy, quick ? 400 : 2_000)
      return { limiter: name, ...single, ...(await concurrently(gateway.url, redis, proxy, quick ? 2 : 8)) }
    } finally {
      await gateway.stop()
    }
  } finally {
    await proxy.stop()
    await redis.close()
  }
}

async function oneAfterTheOther(url: string, redis: RedisServer, proxy: CountingProxy, requests: number) {
  const ask = async (i: number) => {
    const response = await fetch(`${url}/a0/plain`, { headers: { authorization: `benchk${i % keyCount}` } })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`status ${response.status} for a key without an exhausted limit`)
  }
  // Every session is read once and cached.
  for (let i = 0; i < keyCount; i += 1) await ask(i)
  proxy.take()
  const before = await readRedisInfo(redis)
  for (let i = 0; i < requests; i += 1) await ask(i)
  const traffic = proxy.take()
  const calls = commandsBetween(before, await readRedisInfo(redis))
  const each = (value: number) => value / requests
  return {
    roundTrips: each(traffic.roundTrips),
    commands: each(traffic.commands),
    bytesToRedis: each(traffic.bytesToRedis),
    bytesFromRedis: each(traffic.bytesFromRedis),
    calls: Object.fromEntries([...calls].map(([command, count]) => [command, each(count)])),
  }
}

async function concurrently(url: string, redis: RedisServer, proxy: CountingProxy, seconds: number) {
  const script = `local n = 0
request = function()
  n = (n + 1) % ${keyCount}
  return wrk.format('GET', '/a0/plain', { Authorization = 'benchk' .. n })
end`
  const shape = { url: `${url}/a0/plain`, connections: 64, script }
  await load({ ...shape, seconds: 1 })
  proxy.take()
  const before = await readRedisInfo(redis)
  const { requests } = await load({ ...shape, seconds })
  const after = await readRedisInfo(redis)
  const cpu = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  return {
    redisCpuMicros: ((cpu('used_cpu_user') + cpu('used_cpu_sys')) * 1e6) / requests,
    requestsPerCommand: requests / Math.max(1, proxy.take().commands),
  }
}
