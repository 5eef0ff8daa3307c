/**
 * How many nodes share the rates of the default algorithm: each tells of itself every few seconds, and counts for a
 * while after it was last heard. Source: spec/redis-layout.md 9, "Node count".
 */

export interface NodeNotice {
  readonly hostName: string
  /** New at each start. */
  readonly id: string
  readonly loadPerSecond: number
  readonly tagHash: string
}

export interface NodeCount {
  /** Hears a notice, the own one too. What is no notice, or of another group, is passed over. */
  hear(payload: string): void
  /** Nodes that were heard lately; 1 while this one has not heard itself. */
  count(): number
}

export function printNotice({ hostName, id, loadPerSecond, tagHash }: NodeNotice): string {
  const load = Math.max(1, Math.round(loadPerSecond))
  return JSON.stringify({ HostName: hostName, ID: id, LoadPerSec: load, Percentage: 0, TagHash: tagHash })
}

/** `lifeMs`: how long a node counts after its last notice. `now` in ms. */
export function makeNodeCount(own: Pick<NodeNotice, 'id' | 'hostName' | 'tagHash'>, lifeMs: number, now: () => number) {
  const heardAt = new Map<string, number>()
  const self = nameOf(own.id, own.hostName)
  let count = 1
  let countUntil = 0

  return {
    hear(payload) {
      const notice = readNotice(payload)
      if (notice === undefined || notice.tagHash !== own.tagHash) return
      const name = nameOf(notice.id, notice.hostName)
      // Until this node hears itself it does not know what the others count.
      if (name !== self && !heardAt.has(self)) return
      heardAt.set(name, now())
      countUntil = 0
    },
    count() {
      const at = now()
      if (at < countUntil) return count
      let nextEnd = at + lifeMs
      for (const [name, heard] of heardAt) {
        if (heard + lifeMs <= at) heardAt.delete(name)
        else nextEnd = Math.min(nextEnd, heard + lifeMs)
      }
      count = Math.max(1, heardAt.size)
      countUntil = nextEnd
      return count
    },
  } satisfies NodeCount as NodeCount
}

const nameOf = (id: string, hostName: string) => `${id}|${hostName}`

function readNotice(payload: string): { id: string; hostName: string; tagHash: string } | undefined {
  try {
    const notice: unknown = JSON.parse(payload)
    if (typeof notice !== 'object' || notice === null) return undefined
    const { HostName, ID, TagHash } = notice as Record<string, unknown>
    if (typeof HostName !== 'string' || typeof ID !== 'string') return undefined
    return { id: ID, hostName: HostName, tagHash: typeof TagHash === 'string' ? TagHash : '' }
  } catch {
    return undefined
  }
}
