/** Words of the rate limits, shared by the decisions, the stores and the stages. Source: docs/reference/rate-limits.md#rate-limit-scopes. */
import type { Millis } from './clock.ts'

/**
 * `local`: in-memory bucket of this node (6.1). `rolling`: log of times (6.2). `sentinel`: log beside a mark (6.3).
 * `fixed`: windows at multiples of the period (6.4).
 */
export type RateAlgorithm = 'local' | 'rolling' | 'sentinel' | 'fixed'

export interface RateLimit {
  readonly algorithm: RateAlgorithm
  /** Requests; above 0 (no limit is expressed by not asking). May be a fraction. */
  readonly rate: number
  /** In this many seconds. May be a fraction; algorithms cut it as recorded. */
  readonly per: number
  readonly smoothing: Smoothing | undefined
  /** `drl_enable_sentinel_rate_limiter` beside the rolling window: one request fewer (6.2). */
  readonly oneLess: boolean
}

/** Allowance that follows the load between `threshold` and the rate (6.6). Only with `rolling` and `sentinel`. */
export interface Smoothing {
  readonly threshold: number
  readonly trigger: number
  readonly step: number
  /** Seconds between two changes. */
  readonly delay: number
}

/** What came of asking a rate. */
export interface RateResult {
  readonly allowed: boolean
  /** Requests left in the window. */
  readonly remaining: number
  /** When the window ends or the next slot opens, in ms. */
  readonly resetAt: Millis
  /** Smoothing moved the allowance by this request; for the event. */
  readonly allowanceMoved?: 'up' | 'down'
}
