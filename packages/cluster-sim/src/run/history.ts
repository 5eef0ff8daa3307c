/** The observations of a run, from outside the gateways. */
import type { Participant, Traffic } from '../simulation/network.ts'
import type { Instant, Step } from './plan.ts'

/** A request and its response. */
export interface Exchange {
  readonly id: number
  /** Number of the request among those that its key sends; absent: the key sends one kind of request. */
  readonly target?: number
  readonly node: Participant
  readonly key: string
  readonly startedAt: Instant
  /** `undefined`: there was no response before the end of the run. */
  endedAt: Instant | undefined
  /** 0 without a response. */
  status: number
  /** Values of the rate limit headers of the response; NaN if a header is missing. */
  limit: number
  remaining: number
  resetAt: number
  /** Version of the files by the upstream's path, and by the header rules. They must agree. */
  versionOfPath: number
  versionOfHeaders: number
}

/** A step of the plan, with the times of its start and its completion. */
export interface ExecutedStep {
  readonly step: Step
  readonly startedAt: Instant
  /** `undefined`: it failed or did not complete. */
  endedAt: Instant | undefined
  problem: string | undefined
}

/** A node began to serve another configuration. */
export interface ServedConfiguration {
  readonly at: Instant
  readonly node: Participant
  readonly hash: string
  readonly version: number
}

export interface History {
  /** Requests in the order in which they were sent. */
  readonly exchanges: readonly Exchange[]
  /** Steps other than requests. */
  readonly done: readonly ExecutedStep[]
  readonly served: readonly ServedConfiguration[]
  /** Hash of the configuration that each running node served at the end of the run, by node. */
  readonly atTheEnd: Readonly<Record<Participant, { readonly hash: string; readonly version: number }>>
  /** Messages by sender: nodes and the store. */
  readonly traffic: Readonly<Record<Participant, Readonly<Traffic>>>
  readonly endedAt: Instant
}
