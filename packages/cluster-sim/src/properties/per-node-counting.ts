/**
 * Simple models of nodes that count separately, for the parts of property 13 about clusters without one exact store: shares
 * of a limit, counts that are exchanged periodically, and a partitioned network. Each model is correct; `PerNodeVariants`
 * are the points where such algorithms fail in practice, and where bugs are seeded.
 */
import type { Participant } from '../simulation/network.ts'

export interface PerNodeLimit {
  readonly most: number
  readonly windowMs: number
  readonly nodes: readonly Participant[]
}

/** Nodes that count separately. Instants never decrease. */
export interface PerNodeCounters {
  ask(node: Participant, at: number): boolean
  /** A node leaves the cluster or is disconnected from the others. */
  leave(node: Participant, at: number): void
  /** The node is connected again. */
  join(node: Participant, at: number): void
  /** All connected nodes exchange their counts. */
  exchange(at: number): void
}

export interface PerNodeSubject {
  readonly name: string
  make(limit: PerNodeLimit): PerNodeCounters
}

/** Points where implementations go wrong. A missing member means correct behaviour. */
export interface PerNodeVariants {
  /** A node's share of a limit over n nodes. Default: rounded up. */
  share?(most: number, nodes: number): number
  /** How long an earlier division of the limit still applies. Default: one window. */
  bindsForMs?(windowMs: number): number
  /** A node that joins again has lost its counts. */
  readonly forgets?: boolean
  /** The part of the exchanged counts that a node uses. Default: all. */
  usedCounts?(told: readonly number[]): readonly number[]
  /** Only every nth exchange takes place. Default 1. */
  readonly everyNth?: number
  /** A partition starts with an empty log. */
  readonly startsEmptyWhenPartitioned?: boolean
  /** A disconnected node never joins again. */
  readonly neverHeals?: boolean
}

const within = (log: readonly number[], at: number, windowMs: number) => log.filter((one) => one > at - windowMs)

/**
 * Each node has a share of the limit. A node may admit the smallest share that it had in any division of the last window,
 * and nothing if it was not a member of one of them. A joining node therefore waits one window, and the share of a
 * leaving node is redistributed after one window.
 */
export function dividedIntoShares(name: string, quirks: PerNodeVariants = {}): PerNodeSubject {
  const { share = (most, nodes) => Math.ceil(most / nodes), bindsForMs = (windowMs) => windowMs } = quirks
  return {
    name,
    make({ most, windowMs, nodes }) {
      const logs = new Map<Participant, number[]>(nodes.map((node) => [node, []]))
      let divisions = [{ since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY, members: new Set(nodes) }]
      const divide = (at: number, change: (members: Set<Participant>) => void) => {
        const last = divisions.at(-1)
        const members = new Set(last?.members)
        change(members)
        if (last !== undefined) last.until = at
        divisions.push({ since: at, until: Number.POSITIVE_INFINITY, members })
      }
      return {
        ask(node, at) {
          divisions = divisions.filter(({ until }) => until > at - bindsForMs(windowMs))
          const bound = Math.min(...divisions.map(({ members }) => (members.has(node) ? share(most, members.size) : 0)))
          const log = within(logs.get(node) ?? [], at, windowMs)
          const allowed = log.length < bound
          if (allowed) log.push(at)
          logs.set(node, log)
          return allowed
        },
        leave: (node, at) => divide(at, (members) => members.delete(node)),
        join(node, at) {
          if (quirks.forgets === true) logs.set(node, [])
          divide(at, (members) => members.add(node))
        },
        exchange() {},
      }
    },
  }
}

/** Each node counts the requests that it admits and those that the others reported at the last exchange. */
export function exchanging(name: string, quirks: PerNodeVariants = {}): PerNodeSubject {
  const { usedCounts = (told) => told, everyNth = 1 } = quirks
  return {
    name,
    make({ most, windowMs, nodes }) {
      const own = new Map<Participant, number[]>(nodes.map((node) => [node, []]))
      const told = new Map<Participant, readonly number[]>()
      let exchanges = 0
      return {
        ask(node, at) {
          const log = own.get(node) ?? []
          const count = within(log, at, windowMs).length + within(told.get(node) ?? [], at, windowMs).length
          if (count < most) log.push(at)
          return count < most
        },
        leave() {},
        join(node) {
          if (quirks.forgets === true) own.set(node, [])
        },
        exchange() {
          exchanges += 1
          if (exchanges % everyNth !== 0) return
          for (const node of nodes) {
            const others = nodes.filter((other) => other !== node).flatMap((other) => own.get(other) ?? [])
            told.set(node, usedCounts(others))
          }
        },
      }
    },
  }
}

interface Counted {
  readonly at: number
}

/** Nodes share one log. A disconnected node continues with a copy of it, and its requests are merged when it connects again. */
export function sharedUntilPartitioned(name: string, quirks: PerNodeVariants = {}): PerNodeSubject {
  return {
    name,
    make({ most, windowMs }) {
      // Compared by identity: two partitions may count a request each in the same instant.
      let together: Counted[] = []
      const alone = new Map<Participant, Counted[]>()
      return {
        ask(node, at) {
          const log = (alone.get(node) ?? together).filter((one) => one.at > at - windowMs)
          const allowed = log.length < most
          if (allowed) log.push({ at })
          if (alone.has(node)) alone.set(node, log)
          else together = log
          return allowed
        },
        leave(node) {
          if (!alone.has(node)) alone.set(node, quirks.startsEmptyWhenPartitioned === true ? [] : [...together])
        },
        join(node) {
          if (quirks.neverHeals === true) return
          const counted = alone.get(node)
          alone.delete(node)
          if (counted === undefined || quirks.forgets === true) return
          const known = new Set(together)
          together = [...together, ...counted.filter((one) => !known.has(one))].toSorted((a, b) => a.at - b.at)
        },
        exchange() {},
      }
    },
  }
}
