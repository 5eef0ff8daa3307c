/** A real Redis with Sentinel for tests: a master, two replicas and three sentinels, as processes on free TCP ports. */
import { aList, checkOptions } from '../check-input.ts'
import type { RedisServer } from './redis-server.ts'
import { formGroup, type GroupOptions, groupChecks, type ReplicatedServer, until } from './replicated-redis.ts'

export interface RedisWithSentinel {
  /** Name of the master for clients. */
  readonly masterName: string
  /** At the start the first one is the master. */
  readonly servers: readonly ReplicatedServer[]
  readonly sentinels: readonly ReplicatedServer[]
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
  const { failoverAfterMs = 15_000, args = [] } = options
  return await formGroup(options, async (start) => {
    const servers: ReplicatedServer[] = []
    for (let index = 0; index <= replicas; index++) {
      const server = await start(index, ({ host, data }) => ({
        args: [
          ...['--replica-announce-ip', host, '--replica-announce-port', String(data.announced)],
          ...['--repl-diskless-sync-delay', '0'],
          ...(servers[0] === undefined ? [] : ['--replicaof', `${servers[0].host} ${servers[0].port}`]),
          ...args,
        ],
      }))
      servers.push(server)
    }
    const master = servers[0] as ReplicatedServer
    await until('the replicas copy their master', formationMs, async () =>
      (await master.read('INFO replication')).includes(`connected_slaves:${replicas}`),
    )
    const sentinels = await Promise.all(
      Array.from({ length: sentinelCount }, (_, i) =>
        start(servers.length + i, ({ host, data }) => ({
          sentinel: [
            `sentinel monitor ${masterName} ${master.host} ${master.port} 2`,
            `sentinel down-after-milliseconds ${masterName} ${failoverAfterMs}`,
            `sentinel failover-timeout ${masterName} 5000`,
            `sentinel parallel-syncs ${masterName} ${replicas}`,
            `sentinel announce-ip ${host}`,
            `sentinel announce-port ${data.announced}`,
          ],
        })),
      ),
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
    }
  })
}

async function currentMaster(servers: readonly ReplicatedServer[], sentinels: readonly RedisServer[]) {
  const text = await (sentinels[0] as RedisServer).read('INFO sentinel')
  const address = /address=([^,]*)/.exec(text)?.[1]
  const found = servers.find(({ host, port }) => `${host}:${port}` === address)
  if (found === undefined) throw new Error(`the sentinel names no server as the master: ${text}`)
  return found
}
