/** What is sent and what came back: a trace is a plan of requests of one client, a history is its result. */

import type { Client } from '../http/client-pool.ts'
import type { HeaderFields, RawRequest, RawResponse } from '../http/raw-client.ts'

/** How the requests of a step differ from the request that the user described. */
export interface Variant {
  /** For people, such as "key in capitals". */
  readonly label: string
  shape(request: RawRequest, client: Client): RawRequest
  /** Statuses of several decisions in one response, such as the items of a batch. Default: the status of the response. */
  statuses?(response: RawResponse): readonly number[]
}

/** Requests that begin at one instant of a trace. */
export interface Step {
  /** Milliseconds after the start of the trace. */
  readonly atMs: number
  readonly count: number
  /** True if all requests are sent at once, false if each waits for the response before it. */
  readonly together: boolean
  readonly variant?: Variant
}

/** Requests of one client. Steps are in order of time; a step begins after the responses of the step before it. */
export interface Trace {
  readonly steps: readonly Step[]
  /** The trace starts this many ms after a whole multiple of the period on the clock of this machine. Default: anywhere. */
  readonly startPhaseMs?: number
}

/** One request and its response. Instants are milliseconds since the Unix epoch on a monotonic clock, with fractions. */
export interface Exchange {
  readonly sentAt: number
  /** When the head of the response arrived. The gateway decided between `sentAt` and this instant. */
  readonly answeredAt: number
  readonly status: number
  readonly admitted: boolean
  readonly headers: HeaderFields
}

/** Requests whose order of decisions is unknown: those sent at once, or a single one. */
export interface Group {
  /** Index of the step in the trace. */
  readonly step: number
  readonly sentAt: number
  readonly answeredAt: number
  readonly count: number
  readonly admitted: number
  readonly exchanges: readonly Exchange[]
}

export interface History {
  readonly trace: Trace
  /** The instant of `atMs` 0. */
  readonly startedAt: number
  /** The client as the user knows it: its key or its address. */
  readonly client: string
  /** In order of time. */
  readonly groups: readonly Group[]
}

/** What is wrong with a history. */
export interface Statement {
  /** One sentence: what was seen, and what would be right. */
  readonly text: string
  /** Index in `groups` of the history. */
  readonly group: number
  /** Equal for the same mistake in several runs. */
  readonly mistake: string
}

export function makeGroup(step: number, exchanges: readonly Exchange[]): Group {
  return {
    step,
    sentAt: Math.min(...exchanges.map(({ sentAt }) => sentAt)),
    answeredAt: Math.max(...exchanges.map(({ answeredAt }) => answeredAt)),
    count: exchanges.length,
    admitted: exchanges.filter(({ admitted }) => admitted).length,
    exchanges,
  }
}

export function requestsOf(trace: Trace): number {
  return trace.steps.reduce((sum, { count }) => sum + count, 0)
}

/** When the last step begins, in ms after the start. */
export function durationOf(trace: Trace): number {
  return trace.steps.at(-1)?.atMs ?? 0
}
