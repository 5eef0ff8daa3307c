/** A real Redis with Sentinel for tests: a master, two replicas and three sentinels, as processes on free TCP ports. */
import { aList, checkOptions } from '../check-input.ts'
import { freePorts } from '../conformance/gateway-process.ts'
import { type RedisServer, startRedisServer } from './redis-server.ts'
import {
  closeOnFailure,
  type GroupOptions,
  groupChecks,
  makeNetwork,
  type ReplicatedServer,
  sourceArguments,
  startReplicatedServer,
  until,
} from './replicated-redis.ts'

export interface RedisWithSentinel {
  /** Name of the master for clients. */
  readonly masterName: string
  /** At the start the first one is the master. */
  readonly servers: readonly ReplicatedServer[]
  readonly sentinels: readonly RedisServer[]
  /** Returns the server that the sentinels call the master. */
  master(): Promise<ReplicatedServer>
  /** Deletes all data. */
  flush(): Promise<void>
  close(): Promise<void>
}

export interface RedisSentinelOptions extends GroupOptions {
  /** Further arguments of each server, not of the sentinels. */
  readonly args?: readonly string[]
}

const masterName = 'main'
const replicas = 2
const sentinelCount = 3
const formationMs = 30_000

/** Starts all processes. Rejects if the sentinels do not know each other and the replicas within 30 s. */
export async function startRedisSentinel(options: RedisSentinelOptions = {}): Promise<RedisWithSentinel> {
  checkOptions('startRedisSentinel', options, { ...groupChecks, args: aList })
  const { canPartition = false, failoverAfterMs = 15_000, args = [] } = options
  const program = options.program === undefined ? {} : { program: options.program }
  const network = canPartition ? makeNetwork() : undefined
  const free = await freePorts(2 * (replicas + 1))
  const ports = Array.from({ length: replicas + 1 }, (_, i) => {
    const [own, announced] = free.slice(2 * i, 2 * i + 2) as [number, number]
    return { own, announced: canPartition ? announced : own }
  })
  const started: RedisServer[] = []
  const close = async () => {
    network?.close()
    await Promise.all(started.map((server) => server.close()))
  }
  return await closeOnFailure(close, async () => {
    const servers: ReplicatedServer[] = []
    for (const [index, own] of ports.entries()) {
      const server = await startReplicatedServer(index, own, network, {
        args: [
          ...['--replica-announce-ip', '127.0.0.1', '--replica-announce-port', String(own.announced)],
          ...['--repl-diskless-sync-delay', '0'],
          ...(index === 0 ? [] : ['--replicaof', `127.0.0.1 ${ports[0]?.announced}`]),
          ...(canPartition ? sourceArguments(index) : []),
          ...args,
        ],
        ...program,
      })
      started.push(server)
      servers.push(server)
    }
    const master = servers[0] as ReplicatedServer
    await until('the replicas copy their master', formationMs, async () =>
      (await master.read('INFO replication')).includes(`connected_slaves:${replicas}`),
    )
    const sentinels = await Promise.all(
      Array.from({ length: sentinelCount }, async (_, i) => {
        const lines = [
          `sentinel monitor ${masterName} 127.0.0.1 ${master.port} 2`,
          `sentinel down-after-milliseconds ${masterName} ${failoverAfterMs}`,
          `sentinel failover-timeout ${masterName} 5000`,
          `sentinel parallel-syncs ${masterName} ${replicas}`,
          ...(canPartition
            ? [
                sourceArguments(servers.length + i)
                  .join(' ')
                  .replace('--', ''),
              ]
            : []),
        ]
        const sentinel = await startRedisServer({ sentinel: lines, ...program })
        started.push(sentinel)
        return sentinel
      }),
    )
    await until('the sentinels know each other and the replicas', formationMs, async () => {
      const known = await Promise.all(sentinels.map((sentinel) => sentinel.read('INFO sentinel')))
      return known.every((text) => text.includes(`slaves=${replicas},sentinels=${sentinelCount}`))
    })
    return {
      masterName,
      servers,
      sentinels,
      master: () => currentMaster(servers, sentinels),
      flush: async () => (await currentMaster(servers, sentinels)).flush(),
      close,
    }
  })
}

async function currentMaster(servers: readonly ReplicatedServer[], sentinels: readonly RedisServer[]) {
  const text = await (sentinels[0] as RedisServer).read('INFO sentinel')
  const port = /address=[^,]*:(\d+)/.exec(text)?.[1]
  const found = servers.find((server) => server.port === Number(port))
  if (found === undefined) throw new Error(`the sentinel names no server as the master: ${text}`)
  return found
}
