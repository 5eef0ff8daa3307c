/** A Redis Cluster or a Redis with Sentinel, and one master in it that a test takes away. */
import { type RedisClusterOptions, startRedisCluster } from './redis-cluster.ts'
import { type RedisSentinelOptions, startRedisSentinel } from './redis-sentinel.ts'
import type { ReplicatedServer } from './replicated-redis.ts'

export { partitionMethod } from './test-network.ts'

export interface FailingMaster {
  /** What clients connect to: the servers of the cluster, or the sentinels. */
  readonly addresses: readonly { readonly host: string; readonly port: number }[]
  /** Name of the master at the sentinels; `undefined` for a cluster. */
  readonly masterName: string | undefined
  readonly master: ReplicatedServer
  /** All other servers, with the sentinels. */
  readonly others: readonly ReplicatedServer[]
  /** True once another server has taken over. */
  hasNewMaster(): Promise<boolean>
  close(): Promise<void>
}

/** Milliseconds without a reply after which the master is replaced, unless the options have another number. */
export const failoverAfterMs = 1000

/** Starts a cluster; `key`: its master is the one that fails. */
export async function startClusterWithMaster(key: string, options: RedisClusterOptions = {}): Promise<FailingMaster> {
  const cluster = await startRedisCluster({ failoverAfterMs, ...options })
  const { master, replica } = await cluster.shardOf(key)
  return {
    addresses: cluster.servers,
    masterName: undefined,
    master,
    others: cluster.servers.filter((server) => server !== master),
    hasNewMaster: async () => (await replica.role()) === 'master',
    close: cluster.close,
  }
}

export async function startSentinelWithMaster(options: RedisSentinelOptions = {}): Promise<FailingMaster> {
  const redis = await startRedisSentinel({ failoverAfterMs, ...options })
  const master = await redis.master()
  const replicas = redis.servers.filter((server) => server !== master)
  return {
    addresses: redis.sentinels,
    masterName: redis.masterName,
    master,
    others: [...replicas, ...redis.sentinels],
    hasNewMaster: async () => (await Promise.all(replicas.map((server) => server.role()))).includes('master'),
    close: redis.close,
  }
}
