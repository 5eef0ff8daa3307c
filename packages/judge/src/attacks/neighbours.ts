/** Neighbours: clients use up their limits one after the other, and each of them still has all of its own. */
import type { Client } from '../http/client-pool.ts'
import type { RateLimit } from '../models/model.ts'
import { findContradiction, type Standard } from '../models/standard.ts'
import type { History, Statement, Trace, Variant } from '../trace/trace-and-history.ts'
import { replaceKey } from './key-spellings.ts'

const maxRequests = 300
const maxNeighbours = 24

/** How many neighbours a trace has: many, because a gateway may mix up some keys only. */
export function neighbourCount({ count }: RateLimit, isVirtual: boolean): number {
  return isVirtual ? maxNeighbours : Math.max(1, Math.min(maxNeighbours, Math.floor(maxRequests / count)))
}

/** Each client is a step. The first one is the client of the trace. */
export function neighbourTrace({ count }: RateLimit, neighbours: readonly Client[]): Trace {
  const all = { atMs: 0, count, together: false }
  return { steps: [all, ...neighbours.map((neighbour) => ({ ...all, variant: asNeighbour(neighbour) }))] }
}

/** Compares the decisions about each client with what it would get alone. Headers are not compared. */
export function neighbourStatement(standard: Standard, history: History): Statement | undefined {
  for (const [step, { variant }] of history.trace.steps.entries()) {
    const own = history.groups.filter((group) => group.step === step)
    const statement = findContradiction(standard, { ...history, groups: own })
    const wrong = own[statement?.group ?? -1]
    if (statement === undefined || wrong === undefined) continue
    const who = variant?.label ?? `client ${history.client}`
    return { ...statement, text: `${who}, ${statement.text}`, group: history.groups.indexOf(wrong) }
  }
  return undefined
}

/** The requests of another client in a trace. */
export function asNeighbour(neighbour: Client): Variant {
  const { localAddress, key } = neighbour
  return {
    label: `client ${neighbour.name}`,
    shape(request, client) {
      if (localAddress !== undefined) return { ...request, localAddress }
      return replaceKey(request, client.key, () => key ?? '')
    },
  }
}
