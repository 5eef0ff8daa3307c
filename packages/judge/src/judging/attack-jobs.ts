/** Jobs that depend on more than the limit: retries, spellings of keys, batches and other clients. */
import { overflowOf } from '../attacks/attack.ts'
import { type BatchOptions, batchTraces, outsideStatement, outsideTraces } from '../attacks/batch-attack.ts'
import { retryAtStatedTime } from '../attacks/check-retry-after.ts'
import { spellings, spellingTraces, unknownKey } from '../attacks/key-spellings.ts'
import { neighbourCount, neighbourStatement, neighbourTrace } from '../attacks/neighbours.ts'
import type { Client } from '../http/client-pool.ts'
import type { RateLimit } from '../models/model.ts'
import type { Standard } from '../models/standard.ts'
import type { Group, History, Statement, Step, Trace } from '../trace/trace-and-history.ts'
import { isNotRun, type Prober } from './prober.ts'

/** What is sent, and for which attack. */
export interface Job {
  readonly attack: { readonly name: string; readonly title: string }
  readonly trace: Trace
  /** Adds steps that depend on responses. */
  readonly more?: (groups: readonly Group[], startedAt: number) => Step | undefined
  /** What is wrong with the history. Default: what contradicts all models. */
  readonly check?: (history: History) => Statement | undefined
  /** Sends the trace as one particular client. Default: as any fresh client. */
  readonly prober?: Prober
}

export const retryJob = (limit: RateLimit): Job => ({
  attack: { name: 'retry', title: 'a retry at the time that a rejection states' },
  trace: { steps: [{ atMs: 0, count: overflowOf(limit), together: false }] },
  more: retryAtStatedTime,
})

/**
 * Spellings that HTTP declares equal, those that the user states, and others if the gateway rejects keys that do not
 * exist. `closed` is false if any text is a key.
 */
export async function spellingJobs(
  prober: Prober,
  limit: RateLimit,
  stated: readonly string[],
  deadline: number,
): Promise<{ readonly jobs: readonly Job[]; readonly closed: boolean }> {
  const { place } = prober.subject
  if (place.header === undefined && place.query === undefined) return { jobs: [], closed: true }
  const probe = { steps: [{ atMs: 0, count: 1, together: false, variant: unknownKey }] }
  const unknown = await prober.run(probe, deadline, { isSearch: true })
  const first = isNotRun(unknown) ? undefined : unknown.groups[0]?.exchanges[0]
  // A key that only the limit rejects is a key.
  const closed = first?.admitted === false && !prober.subject.rejected.includes(first.status)
  const attack = { name: 'key-spellings', title: 'the same client with its key spelled differently' }
  const traces = spellingTraces(limit, spellings({ place, stated }, closed))
  return { jobs: traces.map((trace) => ({ attack, trace })), closed }
}

export function batchJobs(limit: RateLimit, batch: BatchOptions | undefined): readonly Job[] {
  if (batch === undefined) return []
  const attack = { name: 'batch', title: 'several requests in one batch' }
  const outside = outsideTraces(batch).map((trace) => ({ attack, trace, check: outsideStatement }))
  return [...batchTraces(limit, batch).map((trace) => ({ attack, trace })), ...outside]
}

interface NeighbourOptions {
  readonly limit: RateLimit
  readonly standard: Standard
  /** True if requests cost nothing. */
  readonly isVirtual: boolean
}

/** Clients that use up their limits one after the other. Every repetition has the same clients. */
export async function neighbourJobs(
  prober: Prober,
  { limit, standard, isVirtual }: NeighbourOptions,
  deadline: number,
): Promise<readonly Job[]> {
  const { pool } = prober
  const count = Math.min(neighbourCount(limit, isVirtual), Math.floor(pool.size / 4))
  if (count < 1) return []
  const clients: Client[] = []
  while (clients.length <= count) {
    const client = await pool.take(deadline)
    if (client === undefined) break
    clients.push(client)
  }
  const [client, ...neighbours] = clients
  if (client === undefined || neighbours.length === 0) return []
  const attack = { name: 'neighbours', title: 'clients one after the other, each within its own limit' }
  const check = (history: History) => neighbourStatement(standard, history)
  return [{ attack, trace: neighbourTrace(limit, neighbours), check, prober: prober.only(client) }]
}
