/** CPU time and memory of the gateway process: per request, per API and per key. */
import { startRedisServer } from '@turnpike/testkit/redis-server'
import { cached, keyless, overRedis, type Scenario, withKey } from '../loopback/scenarios.ts'
import { cpuMicros } from '../measure/process-cpu.ts'
import { spreadOf } from '../measure/statistics.ts'
import { load } from '../measure/wrk.ts'
import { type SoakedGateway, startSoakedGateway } from '../soak/soaked-gateway.ts'
import { definition, keyed } from '../subjects/definition.ts'
import { withPlainUpstream } from '../subjects/programs.ts'
import { roomySession } from '../subjects/roomy-session.ts'
import { readRedisInfo } from './redis-info.ts'

export interface RequestCost {
  readonly name: string
  /** CPU time of the gateway per request, in µs. */
  readonly cpuMicros: number
}

export interface MemoryCost {
  /** Bytes of heap and buffers per API, and per key that is in the session cache. */
  readonly bytesPerApi: number
  readonly bytesPerCachedKey: number
  /** Bytes of Redis per key with its session and its counters. */
  readonly redisBytesPerKey: number
  /** Resident MiB of a gateway with one API. */
  readonly baseMiB: number
}

const connections = 32

/** Needs wrk and redis-server. */
export async function measureRequestCosts(quick: boolean, log: (text: string) => void): Promise<RequestCost[]> {
  return withPlainUpstream(async (upstream) => {
    const costs: RequestCost[] = []
    for (const scenario of [keyless, withKey, overRedis, cached]) {
      log(`CPU per request: ${scenario.name} …`)
      costs.push({ name: scenario.name, cpuMicros: await cpuPerRequest(scenario, upstream, quick) })
    }
    return costs
  })
}

async function cpuPerRequest(scenario: Scenario, upstream: string, quick: boolean): Promise<number> {
  const subject = await scenario.start(upstream)
  try {
    const { headers = {} } = scenario
    const shape = { url: subject.url + scenario.path, connections, headers }
    await load({ ...shape, seconds: quick ? 1 : 3 })
    const windows: number[] = []
    for (let i = 0; i < (quick ? 3 : 5); i += 1) {
      const before = cpuMicros(subject.pid)
      const { requests, failed } = await load({ ...shape, seconds: quick ? 1 : 4 })
      if (failed > 0) throw new Error(`${scenario.name}: ${failed} requests failed`)
      windows.push((cpuMicros(subject.pid) - before) / requests)
    }
    return spreadOf(windows).median
  } finally {
    await subject.stop()
  }
}

/** Heap and buffers after a garbage collection, with many and with few APIs or keys in use. */
export async function measureMemory(quick: boolean, log: (text: string) => void): Promise<MemoryCost> {
  return withPlainUpstream(async (upstream) => {
    log('memory per API …')
    const apis = quick ? 2_000 : 10_000
    const few = await memoryOfApis(10, upstream)
    const many = await memoryOfApis(apis, upstream)
    log('memory per key …')
    return {
      baseMiB: few.residentBytes / 2 ** 20,
      bytesPerApi: (many.usedBytes - few.usedBytes) / (apis - 10),
      ...(await memoryOfKeys(quick ? 5_000 : 50_000, upstream)),
    }
  })
}

async function memoryOfApis(count: number, upstream: string) {
  const definitions = Array.from({ length: count }, (_, i) => definition(`a${i}`, upstream))
  const gateway = await startSoakedGateway('uws', upstream, { definitions })
  try {
    await visitAll(gateway, count, `'/a' .. n .. '/plain'`, '{}')
    const { usedBytes } = await gateway.probe()
    return { usedBytes, residentBytes: gateway.residentBytes() }
  } finally {
    await gateway.stop()
  }
}

/** Keys that exist before the first reading. */
const fewKeys = 100

async function memoryOfKeys(keys: number, upstream: string) {
  const redis = await startRedisServer()
  try {
    const storage = { type: 'redis', host: '127.0.0.1', port: redis.port }
    const gateway = await startSoakedGateway('uws', upstream, {
      definitions: [definition('a0', upstream, keyed)],
      config: { storage, enable_fixed_window_rate_limiter: true },
    })
    const read = async (count: number) => {
      await visitAll(gateway, count, "'/a0/plain'", "{ Authorization = 'benchk' .. n }")
      const { usedBytes } = await gateway.probe()
      return { usedBytes, redisBytes: (await readRedisInfo(redis)).get('used_memory') ?? Number.NaN }
    }
    try {
      await createKeys(gateway.manage, 0, fewKeys)
      const few = await read(fewKeys)
      await createKeys(gateway.manage, fewKeys, keys)
      const many = await read(keys)
      return {
        bytesPerCachedKey: (many.usedBytes - few.usedBytes) / (keys - fewKeys),
        redisBytesPerKey: (many.redisBytes - few.redisBytes) / (keys - fewKeys),
      }
    } finally {
      await gateway.stop()
    }
  } finally {
    await redis.close()
  }
}

/** The least that a gateway serves on a busy machine; decides how long every number needs to be visited. */
const leastPerSecond = 2_500

/** Requests the path and headers, Lua expressions of `n`, for each n below `count`. */
async function visitAll({ port }: SoakedGateway, count: number, path: string, headers: string): Promise<void> {
  const script = `local n = 0
request = function()
  n = (n + 1) % ${count}
  return wrk.format('GET', ${path}, ${headers})
end`
  const seconds = 2 + Math.ceil(count / leastPerSecond)
  await load({ url: `http://127.0.0.1:${port}/`, connections, seconds, script })
}

async function createKeys(manage: SoakedGateway['manage'], from: number, to: number): Promise<void> {
  for (let i = from; i < to; i += 50) {
    const some = Array.from({ length: Math.min(50, to - i) }, (_, k) => i + k)
    await Promise.all(some.map((k) => manage('POST', `/svc/keys/k${k}`, roomySession('a0'))))
  }
}
