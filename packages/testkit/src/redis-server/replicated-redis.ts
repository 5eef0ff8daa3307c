/** What a Redis Cluster and a Redis with Sentinel have in common: servers that replicate, and tests that take them away. */

import { setTimeout as sleep } from 'node:timers/promises'
import { aFlag, aText, aWholeNumber } from '../check-input.ts'
import { type NetworkLink, startNetworkLink } from './network-link.ts'
import { type RedisServer, type RedisServerOptions, startRedisServer } from './redis-server.ts'

/** One server of a group. Its `port` is the one that it announces to clients and other servers. */
export interface ReplicatedServer extends RedisServer {
  /** Role as the server itself reports it; `undefined` if it does not reply. */
  role(): Promise<'master' | 'replica' | undefined>
  /**
   * Cuts the server from the other servers, and from clients unless `keepsClients` is set. Only with `canPartition`.
   */
  partition(options?: { readonly keepsClients?: boolean }): void
  /** Ends the partition. */
  heal(): void
}

export interface GroupOptions {
  /** Puts a proxy in front of each server, so that tests can partition the network. Only Linux. Default: false. */
  readonly canPartition?: boolean
  /** Milliseconds without a reply after which a master is replaced. Default: 15000, so that a busy machine replaces none. */
  readonly failoverAfterMs?: number
  /** Name or path of the server. Default: `redisProgram`. */
  readonly program?: string
}

export const groupChecks = { canPartition: aFlag, failoverAfterMs: aWholeNumber(1), program: aText }

/** Ports of a server: its own, and those that it announces. */
export interface ServerPorts {
  readonly own: number
  readonly announced: number
  readonly bus?: { readonly own: number; readonly announced: number }
}

/** Clients connect from here, servers from the address that `sourceArguments` gives them. */
const clientAddress = '127.0.0.1'
const addressOf = (index: number) => `127.0.0.${index + 2}`

/** Arguments that bind the outgoing connections of a server to its own address. */
export const sourceArguments = (index: number) => ['--bind-source-addr', addressOf(index)]

/** The proxies of a group, and which servers are partitioned. */
export interface Network {
  /** Adds the proxies of a server. */
  add(index: number, ports: readonly { readonly own: number; readonly announced: number }[]): Promise<void>
  partition(index: number, keepsClients: boolean): void
  heal(index: number): void
  close(): void
}

export function makeNetwork(): Network {
  const links: { readonly owner: number; readonly link: NetworkLink }[] = []
  const partitioned = new Map<number, { readonly keepsClients: boolean }>()
  const refresh = () => {
    const addresses = new Set([...partitioned.keys()].map(addressOf))
    for (const { owner, link } of links) {
      const own = partitioned.get(owner)
      link.cut((peer) => addresses.has(peer) || (own !== undefined && !(own.keepsClients && peer === clientAddress)))
    }
  }
  return {
    async add(owner, ports) {
      for (const { own, announced } of ports) links.push({ owner, link: await startNetworkLink(announced, own) })
    },
    partition(index, keepsClients) {
      partitioned.set(index, { keepsClients })
      refresh()
    },
    heal(index) {
      partitioned.delete(index)
      refresh()
    },
    close() {
      for (const { link } of links) link.close()
    },
  }
}

/** Starts server `index` of a group. `network`: its proxies; `undefined` without `canPartition`. */
export async function startReplicatedServer(
  index: number,
  ports: ServerPorts,
  network: Network | undefined,
  options: RedisServerOptions,
): Promise<ReplicatedServer> {
  const server = await startRedisServer({ ...options, port: ports.own })
  try {
    await network?.add(index, ports.bus === undefined ? [ports] : [ports, ports.bus])
  } catch (error) {
    await server.close()
    throw error
  }
  return {
    ...server,
    port: ports.announced,
    async role() {
      const text = await server.read('INFO replication').catch(() => '')
      const role = /role:(\w+)/.exec(text)?.[1]
      return role === undefined ? undefined : role === 'master' ? 'master' : 'replica'
    },
    partition({ keepsClients = false } = {}) {
      if (network === undefined) throw new Error('the servers were started without canPartition')
      network.partition(index, keepsClients)
    },
    heal: () => network?.heal(index),
  }
}

/** Runs the steps in sequence; if one fails, closes what was started. */
export async function closeOnFailure<T>(close: () => Promise<void>, steps: () => Promise<T>): Promise<T> {
  try {
    return await steps()
  } catch (error) {
    await close()
    throw error
  }
}

/** Polls until `condition` holds. Rejects after `maxMs`; `what` names the condition. */
export async function until(what: string, maxMs: number, condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + maxMs
  while (!(await condition().catch(() => false))) {
    if (performance.now() > end) throw new Error(`${what}: not within ${maxMs} ms`)
    await sleep(20)
  }
}
