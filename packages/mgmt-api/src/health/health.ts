/** Types that the probes and /svc/health share. Source: docs/reference/health.md#probe-paths. */
import type { Millis } from '@turnpike/core'

/** Result of one check of the store. */
export interface StoreCheck {
  readonly at: Millis
  /** Why the store did not respond; `undefined` if it did. */
  readonly problem: string | undefined
}

/** Counters of one API in the last window. */
export interface ApiHealth {
  readonly throttledPerSecond: number
  readonly quotaViolationsPerSecond: number
  readonly keyFailuresPerSecond: number
  /** Milliseconds. */
  readonly averageUpstreamLatency: number
  readonly requestsPerSecond: number
}
