/**
 * Types of rate limits, shared by the decisions, the stores and the stages. Source:
 * docs/reference/rate-limits.md#rate-limit-scopes.
 */
import type { Millis } from './clock.ts'

/**
 * `local`: in-memory bucket of this node. `rolling`: log of request times. `sentinel`: log of request times with a
 * blocked flag. `fixed`: windows at multiples of the period.
 */
export type RateAlgorithm = 'local' | 'rolling' | 'sentinel' | 'fixed'

export interface RateLimit {
  readonly algorithm: RateAlgorithm
  /** Requests; above 0 (callers without a limit do not consume the rate). May be a fraction. */
  readonly rate: number
  /** Length of the window in seconds. May be a fraction; each algorithm rounds it in its own way. */
  readonly per: number
  readonly smoothing: Smoothing | undefined
  /** `drl_enable_sentinel_rate_limiter` with the rolling window: one request fewer. */
  readonly oneLess: boolean
}

/** An allowance between `threshold` and the rate that follows the load. Only with `rolling` and `sentinel`. */
export interface Smoothing {
  readonly threshold: number
  readonly trigger: number
  readonly step: number
  /** Seconds between two changes. */
  readonly delay: number
}

/** Result of counting one request. */
export interface RateResult {
  readonly allowed: boolean
  /** Requests left in the window. */
  readonly remaining: number
  /** When the window ends or the next slot opens, in ms. */
  readonly resetAt: Millis
  /** Set if smoothing changed the allowance at this request; fires an event. */
  readonly allowanceMoved?: 'up' | 'down'
}
