/**
 * Counts the nodes that share the rate limits of the default algorithm. Each node sends a notice every few seconds and is
 * counted until its last notice expires. Source: docs/reference/cluster-messages.md#node-count.
 */
import { parseJsonObject } from '@turnpike/core/lib'

export interface NodeNotice {
  readonly hostName: string
  /** A new id at each start of the node. */
  readonly id: string
  readonly requestsPerSecond: number
  readonly tagHash: string
}

export interface NodeCount {
  /** Receives a notice, including this node's own. Invalid notices and those of other groups are ignored. */
  receive(payload: string): void
  /** Returns the number of nodes with an unexpired notice; 1 until this node receives its own notice. */
  count(): number
}

/** Further nodes are not counted, so that notices of invented nodes do not use unlimited memory. */
const maxNodes = 10_000

/** Returns a notice as the JSON payload of existing nodes. */
export function printNotice({ hostName, id, requestsPerSecond, tagHash }: NodeNotice): string {
  const load = Math.max(1, Math.round(requestsPerSecond))
  return JSON.stringify({ HostName: hostName, ID: id, LoadPerSec: load, Percentage: 0, TagHash: tagHash })
}

/** `lifetimeMs`: milliseconds that a node is counted after its last notice. `now` returns milliseconds. */
export function makeNodeCount(
  own: Pick<NodeNotice, 'id' | 'hostName' | 'tagHash'>,
  lifetimeMs: number,
  now: () => number,
) {
  const receivedAt = new Map<string, number>()
  const self = nameOf(own.id, own.hostName)
  let count = 1
  let countValidUntil = 0

  return {
    receive(payload) {
      const notice = readNotice(payload)
      if (notice === undefined || notice.tagHash !== own.tagHash) return
      const name = nameOf(notice.id, notice.hostName)
      if (receivedAt.size >= maxNodes && !receivedAt.has(name)) return
      // Without its own notices this node would share its limits with nodes that do not count it.
      if (name !== self && !receivedAt.has(self)) return
      receivedAt.set(name, now())
      countValidUntil = 0
    },
    count() {
      const currentTime = now()
      if (currentTime < countValidUntil) return count
      let nextExpiry = currentTime + lifetimeMs
      for (const [name, at] of receivedAt) {
        if (at + lifetimeMs <= currentTime) receivedAt.delete(name)
        else nextExpiry = Math.min(nextExpiry, at + lifetimeMs)
      }
      count = Math.max(1, receivedAt.size)
      countValidUntil = nextExpiry
      return count
    },
  } satisfies NodeCount as NodeCount
}

const nameOf = (id: string, hostName: string) => `${id}|${hostName}`

function readNotice(payload: string): { id: string; hostName: string; tagHash: string } | undefined {
  const { HostName, ID, TagHash } = parseJsonObject(payload) ?? {}
  if (typeof HostName !== 'string' || typeof ID !== 'string') return undefined
  return { id: ID, hostName: HostName, tagHash: typeof TagHash === 'string' ? TagHash : '' }
}
