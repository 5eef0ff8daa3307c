/** What a definition says of one circuit breaker (docs/reference/api-definition.md#path-rules, docs/reference/upstreams.md#circuit-breaker), and whose it is. */
export interface BreakerRule {
  readonly apiId: string
  readonly version: string
  readonly path: string
  readonly method: string
  /** Share of failures that opens it, 0 to 1. */
  readonly threshold: number
  /** Calls in ten seconds before it may open. */
  readonly samples: number
  /** How long it stays open at most. */
  readonly closesAfterMs: number
  /** Single calls try the upstream while it is open. */
  readonly halfOpens: boolean
}

export type BreakerState = 'closed' | 'open' | 'half-open'

/** A breaker as operators see it. */
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
