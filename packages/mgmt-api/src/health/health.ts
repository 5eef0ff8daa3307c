/** Words of health that the probes, /svc/health and the wiring share. Source: docs/reference/health.md#probe-paths. */
import type { Millis } from '@turnpike/core'

/** What came of one check of the store. */
export interface StoreCheck {
  readonly at: Millis
  /** Why it did not answer; `undefined`: it did. */
  readonly problem: string | undefined
}

/** Numbers of one API in the last window. */
export interface ApiHealth {
  readonly throttledPerSecond: number
  readonly quotaViolationsPerSecond: number
  readonly keyFailuresPerSecond: number
  /** In ms. */
  readonly averageUpstreamLatency: number
  readonly requestsPerSecond: number
}
