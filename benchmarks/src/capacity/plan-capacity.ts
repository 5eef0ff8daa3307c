/** The arithmetic of a capacity plan: from a load and measured costs to nodes, cores, Redis shards, memory and bandwidth. */

/** What is to be served. */
export interface CapacityLoad {
  readonly requestsPerSecond: number
  readonly keys: number
  readonly apis: number
  /** Bytes of a request and of its response on the wire. */
  readonly requestBytes: number
  readonly responseBytes: number
  /** Share of the requests whose rate or quota is counted in Redis, 0 to 1. */
  readonly countedShare: number
  /** Gateway processes of a machine; each uses at most one core. */
  readonly processesPerMachine: number
  /** Share of a core or a shard that is used at this load, above 0 to 1. The rest is for peaks and failures. */
  readonly utilisation: number
  /** Machines and shards that may fail at the same time. */
  readonly spareMachines: number
  readonly spareShards: number
  /** Copies of each shard. */
  readonly replicasPerShard: number
}

/** What one request, key and API cost. */
export interface CapacityCosts {
  /** CPU time of the gateway per request that is counted in Redis, and per request that is not, in µs. */
  readonly countedCpuMicros: number
  readonly uncountedCpuMicros: number
  /** CPU time of redis-server per counted request, in µs. */
  readonly redisCpuMicros: number
  readonly bytesToRedis: number
  readonly bytesFromRedis: number
  readonly baseBytes: number
  readonly bytesPerApi: number
  readonly bytesPerCachedKey: number
  readonly redisBytesPerKey: number
}

export interface CapacityPlan {
  readonly requestsPerSecondAndCore: number
  /** Cores that serve the load, without the spare machines. */
  readonly cores: number
  readonly machines: number
  readonly processes: number
  readonly requestsPerSecondAndProcess: number
  readonly redisOperationsPerSecond: number
  readonly shards: number
  readonly redisServers: number
  /** Operations per second on one shard while all work, and while the spare shards are down. */
  readonly operationsPerShard: number
  readonly operationsPerShardAfterFailure: number
  readonly memoryPerProcessBytes: number
  readonly memoryPerShardBytes: number
  /** Bits per second of one machine: clients and upstreams together, in both directions; and with Redis. */
  readonly clientBitsPerMachine: number
  readonly redisBitsPerMachine: number
  /** Share of a core that is used while the spare machines are down. */
  readonly utilisationAfterFailure: number
  /** Keys whose counters are lost or stale for a moment when one shard fails. */
  readonly keysPerShard: number
  /** Reload signals that Redis delivers for one reload of the group. */
  readonly reloadMessages: number
}

/** Throws a RangeError that names the value if one is not usable. */
export function planCapacity(load: CapacityLoad, costs: CapacityCosts): CapacityPlan {
  checkLoad(load)
  const { requestsPerSecond: rps, countedShare, utilisation, processesPerMachine, spareMachines, spareShards } = load
  const cpuMicros = countedShare * costs.countedCpuMicros + (1 - countedShare) * costs.uncountedCpuMicros
  const perCore = 1e6 / cpuMicros
  const busyCores = rps / perCore
  const cores = Math.ceil(busyCores / utilisation)
  const neededMachines = Math.ceil(cores / processesPerMachine)
  const machines = neededMachines + spareMachines
  const processes = machines * processesPerMachine
  const operations = rps * countedShare
  const neededShards = operations === 0 ? 0 : Math.ceil((operations * costs.redisCpuMicros) / 1e6 / utilisation)
  const shards = neededShards === 0 ? 0 : neededShards + spareShards
  const perMachine = rps / machines
  // A request passes the machine four times: from the client, to the upstream, and back.
  const clientBytes = 2 * (load.requestBytes + load.responseBytes)
  return {
    requestsPerSecondAndCore: perCore,
    cores,
    machines,
    processes,
    requestsPerSecondAndProcess: rps / processes,
    redisOperationsPerSecond: operations,
    shards,
    redisServers: shards * (1 + load.replicasPerShard),
    operationsPerShard: shards === 0 ? 0 : operations / shards,
    operationsPerShardAfterFailure: neededShards === 0 ? 0 : operations / neededShards,
    // Any key may send its requests to any process.
    memoryPerProcessBytes:
      costs.baseBytes + load.apis * costs.bytesPerApi + Math.min(load.keys, maxCachedKeys) * costs.bytesPerCachedKey,
    memoryPerShardBytes: shards === 0 ? 0 : (load.keys * costs.redisBytesPerKey) / shards,
    clientBitsPerMachine: perMachine * clientBytes * 8,
    redisBitsPerMachine: perMachine * countedShare * (costs.bytesToRedis + costs.bytesFromRedis) * 8,
    utilisationAfterFailure: busyCores / (neededMachines * processesPerMachine),
    keysPerShard: shards === 0 ? 0 : load.keys / shards,
    reloadMessages: 1 + processes,
  }
}

/** The session cache of a process holds at most this many keys. */
export const maxCachedKeys = 100_000

function checkLoad(load: CapacityLoad): void {
  for (const [name, value] of Object.entries(load)) {
    if (!Number.isFinite(value) || value < 0) throw new RangeError(`${name} must be a number from 0 on, is ${value}`)
  }
  if (load.requestsPerSecond === 0) throw new RangeError('requestsPerSecond must be above 0')
  if (load.utilisation === 0 || load.utilisation > 1)
    throw new RangeError(`utilisation must be above 0 and at most 1, is ${load.utilisation}`)
  if (load.countedShare > 1) throw new RangeError(`countedShare must be at most 1, is ${load.countedShare}`)
  if (load.processesPerMachine < 1) throw new RangeError('processesPerMachine must be at least 1')
}
