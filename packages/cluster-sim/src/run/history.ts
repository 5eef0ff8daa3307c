/** What was seen in a run, from outside of the gateways. */
import type { Place } from '../world/network.ts'
import type { Instant, Step } from './plan.ts'

/** A request and what came of it. */
export interface Asked {
  readonly id: number
  readonly node: Place
  readonly key: string
  readonly startedAt: Instant
  /** `undefined`: no answer came before the run was over. */
  endedAt: Instant | undefined
  /** 0 without an answer. */
  status: number
  /** Numbers of the answer's rate headers; NaN where there is none. */
  limit: number
  remaining: number
  resetAt: number
  /** Version of the files by the upstream's path, and by the header rules. They must agree. */
  versionOfPath: number
  versionOfHeaders: number
}

/** A step of the plan, when it was done and when it was answered. */
export interface Done {
  readonly step: Step
  readonly startedAt: Instant
  /** `undefined`: it failed, or was never answered. */
  endedAt: Instant | undefined
  readonly problem: string | undefined
}

/** A node began to serve something else. */
export interface Served {
  readonly at: Instant
  readonly node: Place
  readonly hash: string
  readonly version: number
}

export interface History {
  readonly asked: readonly Asked[]
  /** Steps that are no requests. */
  readonly done: readonly Done[]
  readonly served: readonly Served[]
  /** What nodes that are up served when the run was over; hash by node. */
  readonly atTheEnd: Readonly<Record<Place, { readonly hash: string; readonly version: number }>>
  readonly endedAt: Instant
}
