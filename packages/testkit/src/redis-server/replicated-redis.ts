/** What a Redis Cluster and a Redis with Sentinel have in common: servers that replicate, and tests that take them away. */

import { setTimeout as sleep } from 'node:timers/promises'
import { aFlag, aText, aWholeNumber } from '../check-input.ts'
import type { Peers, Place } from './network.ts'
import { type RedisServer, type RedisServerOptions, startRedisServer } from './redis-server.ts'
import { makeTestNetwork } from './test-network.ts'

/** One server or sentinel of a group. Its `port` is the one that it announces to clients and other servers. */
export interface ReplicatedServer extends RedisServer {
  /** Role as the server itself reports it; `undefined` if it does not reply, or is a sentinel. */
  role(): Promise<'master' | 'replica' | undefined>
  /** Blocks the traffic between the server and these peers; default: all. Throws without `canPartition`. */
  partition(from?: Peers): Promise<void>
  /** Ends the partition. */
  heal(): Promise<void>
}

export interface GroupOptions {
  /** Tests can partition the network. Only Linux. Default: false. */
  readonly canPartition?: boolean
  /** Milliseconds without a reply after which a master is replaced. Default: 15000, so that a busy machine replaces none. */
  readonly failoverAfterMs?: number
  /** Name or path of the server. Default: `redisProgram`. */
  readonly program?: string
}

export const groupChecks = { canPartition: aFlag, failoverAfterMs: aWholeNumber(1), program: aText }

/** Starts server `index` of a group at its place. `optionsOf` returns its options beside those of the network. */
export type StartInGroup = (
  index: number,
  optionsOf: (place: Place) => Pick<RedisServerOptions, 'args' | 'sentinel'>,
) => Promise<ReplicatedServer & { readonly place: Place }>

/** Forms a group of servers in a network of its own. If a step fails, everything that was started is closed. */
export async function formGroup<Group>(
  { canPartition, program }: GroupOptions,
  form: (start: StartInGroup) => Promise<Group>,
): Promise<Group & { close(): Promise<void> }> {
  const network = await makeTestNetwork(canPartition)
  const started: RedisServer[] = []
  const close = async () => {
    await Promise.all(started.map((server) => server.close()))
    network.close()
  }
  const start: StartInGroup = async (index, optionsOf) => {
    const place = await network.place(index)
    const options = optionsOf(place)
    const server = await startRedisServer({
      ...options,
      ...(program === undefined ? {} : { program }),
      host: place.host,
      port: place.data.own,
      launcher: place.launcher,
      args: [...place.args, ...(options.args ?? [])],
    })
    started.push(server)
    return {
      ...server,
      place,
      port: place.data.announced,
      async role() {
        const text = await server.read('INFO replication').catch(() => '')
        const role = /role:(\w+)/.exec(text)?.[1]
        return role === undefined ? undefined : role === 'master' ? 'master' : 'replica'
      },
      partition: (from = 'all') => network.partition(index, from),
      heal: () => network.heal(index),
    }
  }
  try {
    return { ...(await form(start)), close }
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
