/**
 * Which masters of a Redis Cluster do not reply. Calls with keys of such a master fail at once, and calls with other keys
 * continue. A probe sends PING to the master until it replies, or until another server has its slots.
 */
import { type Log, StoreUnavailableError } from '@turnpike/core/ports'
import { type Cluster, Command } from 'ioredis'
import type { CallDeadlines } from './call-deadlines.ts'
import { pause, type Timers } from './timers.ts'

export interface MasterOutages {
  /** Why calls with this key fail; `undefined` if its master is available. */
  reasonFor(key: string): string | undefined
  /** The master of this key did not reply. */
  add(key: string, reason: string): void
  /** Number of masters that do not reply now. */
  readonly size: number
  /** Number of outages of masters since the start. */
  readonly total: number
  close(): void
}

/** Pause between two probes. */
const probePauseMs = 200

export function makeMasterOutages(client: Cluster, deadlines: CallDeadlines, timers: Timers, log: Log): MasterOutages {
  /** Reasons by the address of the master. */
  const outages = new Map<string, string>()
  let total = 0
  let closed = false

  const masterOf = (key: string) => client.slots[slotOf(key)]?.[0]

  /** Returns true if the master replies or has no slots any more. */
  const isOver = async (master: string) => {
    if (!client.slots.some((servers) => servers?.[0] === master)) return true
    const server = client.nodes('master').find(({ options }) => `${options.host}:${options.port}` === master)
    try {
      await deadlines.watch(server?.ping() ?? Promise.reject(new Error('no connection')))
      return true
    } catch (cause) {
      // The connection may be dead. The client opens another one when it reads the slots again.
      if (cause instanceof StoreUnavailableError) server?.disconnect()
      return false
    }
  }
  const probe = async (master: string) => {
    const since = timers.now()
    while (!(await isOver(master))) {
      await pause(timers, probePauseMs)
      if (closed) return
    }
    outages.delete(master)
    log.warn('Redis is available again', { master, outageMs: Math.round(timers.now() - since) })
  }

  return {
    reasonFor(key) {
      if (outages.size === 0) return undefined
      const master = masterOf(key)
      return master === undefined ? undefined : outages.get(master)
    },
    add(key, reason) {
      const master = masterOf(key)
      if (closed || master === undefined || outages.has(master)) return
      outages.set(master, reason)
      total += 1
      log.error('Redis is unavailable', { master, reason })
      void probe(master)
    },
    get size() {
      return outages.size
    },
    get total() {
      return total
    },
    close() {
      closed = true
    },
  } satisfies MasterOutages
}

function slotOf(key: string): number {
  return new Command('get', [key]).getSlot() ?? 0
}
