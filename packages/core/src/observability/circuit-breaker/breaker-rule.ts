/**
 * Settings of one circuit breaker in a definition (docs/reference/api-definition.md#path-rules,
 * docs/reference/upstreams.md#circuit-breaker).
 */
export interface BreakerRule {
  readonly apiId: string
  readonly version: string
  readonly path: string
  readonly method: string
  /** Failure rate that opens the breaker, 0 to 1. */
  readonly threshold: number
  /** Minimum calls in ten seconds before the breaker may open. */
  readonly samples: number
  /** Maximum time that the breaker stays open, in ms. */
  readonly closesAfterMs: number
  /** Whether single trial calls pass while the breaker is open. */
  readonly halfOpens: boolean
}

export type BreakerState = 'closed' | 'open' | 'half-open'

/** State of a breaker, for operators. */
export interface BreakerStatus extends BreakerRule {
  readonly state: BreakerState
  /** In the last ten seconds. */
  readonly failures: number
  readonly successes: number
  /** When it closes at the latest, ms; `undefined` while it is closed. */
  readonly closesAt: number | undefined
}

/** A breaker has opened (`tripped`) or closed again (`reset`). */
export interface BreakerChange {
  readonly rule: BreakerRule
  readonly kind: 'tripped' | 'reset'
}
