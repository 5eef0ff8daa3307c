/**
 * Simple models of nodes that count separately, for the parts of property 13 about clusters without one exact store: shares
 * of a limit, counts that are exchanged periodically, and a partitioned network. Each model is correct; `ApartQuirks`
 * are the points where such algorithms fail in practice, and where bugs are seeded.
 */
import type { Place } from '../simulation/network.ts'

export interface ApartLimit {
  readonly most: number
  readonly windowMs: number
  readonly nodes: readonly Place[]
}

/** Nodes that count separately. Instants never decrease. */
export interface ApartUnderTest {
  ask(node: Place, at: number): boolean
  /** A node leaves the cluster or is disconnected from the others. */
  leave(node: Place, at: number): void
  /** The node is connected again. */
  join(node: Place, at: number): void
  /** All connected nodes exchange their counts. */
  exchange(at: number): void
}

export interface ApartSubject {
  readonly name: string
  make(limit: ApartLimit): ApartUnderTest
}

/** Where schemes go wrong. Left out: as it is right. */
export interface ApartQuirks {
  /** A node's share of a limit over n nodes. Default: rounded up. */
  share?(most: number, nodes: number): number
  /** For how long an earlier division of the limit still binds. Default: a window. */
  bindsForMs?(windowMs: number): number
  /** A node that comes back has forgotten what it counted. */
  readonly forgets?: boolean
  /** The part of the exchanged counts that a node uses. Default: all. */
  believed?(told: readonly number[]): readonly number[]
  /** Only every nth exchange takes place. Default 1. */
  readonly everyNth?: number
  /** A side that is cut off begins with an empty log. */
  readonly freshSides?: boolean
  /** A node that was cut off stays by itself. */
  readonly neverHeals?: boolean
}

const within = (log: readonly number[], at: number, windowMs: number) => log.filter((one) => one > at - windowMs)

/**
 * Each node has a share. What binds a node is the smallest share of all divisions that were in force within the last
 * window, and none at all in one to which it did not belong: so whoever joins waits, and who stays is not given the
 * share of one who left before that one's requests are a window old.
 */
export function sharedOut(name: string, quirks: ApartQuirks = {}): ApartSubject {
  const { share = (most, nodes) => Math.ceil(most / nodes), bindsForMs = (windowMs) => windowMs } = quirks
  return {
    name,
    make({ most, windowMs, nodes }) {
      const logs = new Map<Place, number[]>(nodes.map((node) => [node, []]))
      let divisions = [{ since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY, members: new Set(nodes) }]
      const divide = (at: number, change: (members: Set<Place>) => void) => {
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
export function exchanging(name: string, quirks: ApartQuirks = {}): ApartSubject {
  const { believed = (told) => told, everyNth = 1 } = quirks
  return {
    name,
    make({ most, windowMs, nodes }) {
      const own = new Map<Place, number[]>(nodes.map((node) => [node, []]))
      const told = new Map<Place, readonly number[]>()
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
            told.set(node, believed(others))
          }
        },
      }
    },
  }
}

interface Counted {
  readonly at: number
}

/** All count together; one that is cut off goes on from what was counted until then, and what it counted is added later. */
export function fallingApart(name: string, quirks: ApartQuirks = {}): ApartSubject {
  return {
    name,
    make({ most, windowMs }) {
      // By identity: what two sides counted in the same instant is two requests.
      let together: Counted[] = []
      const alone = new Map<Place, Counted[]>()
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
          if (!alone.has(node)) alone.set(node, quirks.freshSides === true ? [] : [...together])
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
