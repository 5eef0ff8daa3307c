import { describe, expect, it } from 'vitest'
import { type CapacityCosts, type CapacityLoad, planCapacity } from './plan-capacity.ts'

const load: CapacityLoad = {
  ...{ requestsPerSecond: 100_000, keys: 1_000_000, apis: 100, requestBytes: 500, responseBytes: 1_500 },
  ...{ countedShare: 1, processesPerMachine: 8, utilisation: 0.5, spareMachines: 1, spareShards: 1 },
  replicasPerShard: 1,
}
const costs: CapacityCosts = {
  ...{ countedCpuMicros: 100, uncountedCpuMicros: 50, redisCpuMicros: 10, bytesToRedis: 300, bytesFromRedis: 100 },
  ...{ baseBytes: 100e6, bytesPerApi: 10_000, bytesPerCachedKey: 500, redisBytesPerKey: 600 },
}

describe('the plan', () => {
  it('divides the load by what a core serves at the wanted utilisation', () => {
    // 10,000 requests per second and core; 10 busy cores, 20 at half use: 3 machines of 8, and a spare one.
    expect(planCapacity(load, costs)).toMatchObject({
      requestsPerSecondAndCore: 10_000,
      cores: 20,
      machines: 4,
      processes: 32,
      requestsPerSecondAndProcess: 3_125,
      reloadMessages: 33,
    })
  })

  it('counts shards by the CPU time of Redis, with spare ones and replicas', () => {
    // 100,000 × 10 µs is one busy core, two at half use, and a spare one.
    expect(planCapacity(load, costs)).toMatchObject({
      redisOperationsPerSecond: 100_000,
      shards: 3,
      redisServers: 6,
      operationsPerShardAfterFailure: 50_000,
      memoryPerShardBytes: 200e6,
    })
  })

  it('needs no Redis if nothing is counted there, and less CPU', () => {
    const plan = planCapacity({ ...load, countedShare: 0 }, costs)
    expect(plan).toMatchObject({ requestsPerSecondAndCore: 20_000, shards: 0, redisServers: 0, redisBitsPerMachine: 0 })
  })

  it('adds memory of APIs and keys to that of the process', () => {
    expect(planCapacity(load, costs).memoryPerProcessBytes).toBe(100e6 + 100 * 10_000 + 100_000 * 500)
  })

  it('counts each byte four times on a machine, and keeps the load below the cores when a machine fails', () => {
    const plan = planCapacity(load, costs)
    expect(plan.clientBitsPerMachine).toBe(25_000 * 4_000 * 8)
    expect(plan.redisBitsPerMachine).toBe(25_000 * 400 * 8)
    expect(plan.utilisationAfterFailure).toBeCloseTo(10 / 24)
  })

  it.each([
    [{ requestsPerSecond: 0 }, 'requestsPerSecond must be above 0'],
    [{ utilisation: 1.5 }, 'utilisation must be above 0 and at most 1, is 1.5'],
    [{ countedShare: 2 }, 'countedShare must be at most 1, is 2'],
    [{ keys: Number.NaN }, 'keys must be a number from 0 on, is NaN'],
    [{ processesPerMachine: 0 }, 'processesPerMachine must be at least 1'],
  ])('rejects %j', (change, message) => {
    expect(() => planCapacity({ ...load, ...change }, costs)).toThrow(message)
  })
})
