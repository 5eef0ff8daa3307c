/** Words of the quota, shared by the decision, the stores and the stages. Source: docs/reference/quotas.md#quota-counting. */
import type { Millis } from './clock.ts'

export interface QuotaLimit {
  /** Requests in a period; above 0 (no limit is expressed by not asking). */
  readonly max: number
  /** Length of the period in seconds; 0 or less: it never ends. */
  readonly renewalSeconds: number
}

/** What a counter holds. */
export interface QuotaState {
  /** Requests counted in this period, refused ones included. */
  readonly used: number
  /** When the period ends, in ms; `undefined`: never. */
  readonly renewsAt: Millis | undefined
}

/** What came of counting. */
export interface QuotaResult {
  readonly allowed: boolean
  /** max − used, never below 0. */
  readonly remaining: number
  readonly renewsAt: Millis | undefined
}
