/** A real Redis Cluster for tests: masters with one replica each, as processes on free TCP ports. */
import { aList, aWholeNumber, checkOptions } from '../check-input.ts'
import type { Place } from './network.ts'
import {
  formGroup,
  type GroupOptions,
  groupChecks,
  type ReplicatedServer,
  type StartInGroup,
  until,
} from './replicated-redis.ts'

export type { ReplicatedServer } from './replicated-redis.ts'

export interface RedisCluster {
  /** First the masters, then their replicas in the same order, as they were at the start. */
  readonly servers: readonly ReplicatedServer[]
  /** Returns the server that is the master of a key according to the majority of the servers, and its replica. */
  shardOf(key: string): Promise<{ readonly master: ReplicatedServer; readonly replica: ReplicatedServer }>
  /** Deletes all data. */
  flush(): Promise<void>
  close(): Promise<void>
}

export interface RedisClusterOptions extends GroupOptions {
  /** Default: 3. */
  readonly masters?: number
  /** Further arguments of each server. */
  readonly args?: readonly string[]
}

const slots = 16_384
const formationMs = 30_000
/** Servers with a short timeout exchange what they know more often. */
const formationTimeoutMs = 500

/** Starts the servers and joins them. Rejects if they form no cluster within 30 s. */
export async function startRedisCluster(options: RedisClusterOptions = {}): Promise<RedisCluster> {
  checkOptions('startRedisCluster', options, { ...groupChecks, masters: aWholeNumber(3), args: aList })
  const { masters = 3 } = options
  return await formGroup(options, async (start) => {
    const servers = await Promise.all(
      Array.from({ length: 2 * masters }, (_, index) =>
        start(index, (place) => ({ args: argumentsOf(place, options) })),
      ),
    )
    await join(servers, masters)
    for (const server of servers) {
      await expectOk(server, `CONFIG SET cluster-node-timeout ${options.failoverAfterMs ?? 15_000}`)
    }
    return {
      servers,
      shardOf: (key: string) => shardOf(servers, key),
      async flush() {
        const roles = await Promise.all(servers.map((server) => server.role()))
        await Promise.all(servers.filter((_, i) => roles[i] === 'master').map((server) => server.flush()))
      },
    }
  })
}

function argumentsOf({ host, data, bus }: Place, { args = [] }: RedisClusterOptions): string[] {
  return [
    ...['--cluster-enabled', 'yes', '--cluster-node-timeout', String(formationTimeoutMs)],
    ...['--cluster-port', String(bus.own)],
    ...['--cluster-announce-ip', host, '--cluster-announce-port', String(data.announced)],
    ...['--cluster-announce-bus-port', String(bus.announced)],
    // A replica is promoted however long it has been without its master, and starts to copy at once.
    ...['--cluster-replica-validity-factor', '0', '--repl-diskless-sync-delay', '0'],
    ...args,
  ]
}

async function join(servers: readonly Awaited<ReturnType<StartInGroup>>[], masters: number) {
  for (const [i, server] of servers.entries()) {
    // Different epochs, so that the servers need not settle a conflict first.
    await expectOk(server, `CLUSTER SET-CONFIG-EPOCH ${i + 1}`)
    const from = Math.ceil((i * slots) / masters)
    const to = Math.ceil(((i + 1) * slots) / masters) - 1
    if (i < masters) await expectOk(server, `CLUSTER ADDSLOTSRANGE ${from} ${to}`)
  }
  const first = servers[0]?.place
  for (const server of servers.slice(1)) {
    await expectOk(server, `CLUSTER MEET ${first?.host} ${first?.data.announced} ${first?.bus.announced}`)
  }
  const isComplete = async (server: ReplicatedServer) => {
    const text = await server.read('CLUSTER INFO')
    return text.includes(`cluster_known_nodes:${servers.length}`) && text.includes('cluster_state:ok')
  }
  const all = async (test: (server: ReplicatedServer) => Promise<boolean>, some = servers) =>
    (await Promise.all(some.map(test))).every(Boolean)
  await until('the servers of the cluster know each other', formationMs, () => all(isComplete))
  const replicas = servers.slice(masters)
  for (const [i, replica] of replicas.entries()) {
    const id = await (servers[i] as ReplicatedServer).read('CLUSTER MYID')
    await until('the replica knows its master', formationMs, async () =>
      (await replica.command(`CLUSTER REPLICATE ${id}`)).startsWith('+OK'),
    )
  }
  const isCopying = async (replica: ReplicatedServer) =>
    (await replica.read('INFO replication')).includes('master_link_status:up')
  await until('the replicas copy their masters', formationMs, () => all(isCopying, replicas))
  // Clients learn the replicas from any server, and a master that fails needs the votes of the others.
  const knowsReplicas = async (server: ReplicatedServer) =>
    (await server.read('CLUSTER NODES')).split('\n').filter((line) => / (myself,)?slave /.test(line)).length ===
    replicas.length
  await until('all servers know the replicas', formationMs, () => all(knowsReplicas))
}

async function expectOk(server: ReplicatedServer, words: string): Promise<void> {
  const reply = await server.command(words)
  if (reply !== '+OK') throw new Error(`${words}: ${reply}`)
}

async function shardOf(servers: readonly ReplicatedServer[], key: string) {
  const reply = await (servers[0] as ReplicatedServer).command(`CLUSTER KEYSLOT ${key}`)
  const slot = Number(reply.slice(1))
  const lines = (await (servers[0] as ReplicatedServer).read('CLUSTER NODES'))
    .split('\n')
    .map((line) => line.split(' '))
  const owner = lines.find(([, , flags = '', , , , , , ...ranges]) => {
    return flags.includes('master') && ranges.some((range) => contains(range, slot))
  })
  const replica = lines.find(([, , flags = '', masterId]) => flags.includes('slave') && masterId === owner?.[0])
  const serverOf = (line: readonly string[] | undefined) => {
    const address = line?.[1]?.split('@')[0]
    const found = servers.find(({ host, port }) => `${host}:${port}` === address)
    if (found === undefined) throw new Error(`no server for slot ${slot}`)
    return found
  }
  return { master: serverOf(owner), replica: serverOf(replica) }
}

function contains(range: string, slot: number): boolean {
  const [from, to = from] = range.split('-').map(Number)
  return from !== undefined && to !== undefined && slot >= from && slot <= to
}
