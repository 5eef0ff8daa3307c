/** Types of quotas, shared by the decision, the stores and the stages. Source: docs/reference/quotas.md#quota-counting. */
import type { Millis } from './clock.ts'

export interface QuotaLimit {
  /** Requests in a period; above 0 (callers without a limit do not consume quota). */
  readonly max: number
  /** Length of the period in seconds; 0 or less: the period never ends. */
  readonly renewalSeconds: number
}

/** State of a quota counter. */
export interface QuotaState {
  /** Requests counted in this period, including rejected ones. */
  readonly used: number
  /** When the period ends, in ms; `undefined`: never. */
  readonly renewsAt: Millis | undefined
}

/** Result of counting one request. */
export interface QuotaResult {
  readonly allowed: boolean
  /** max − used, never below 0. */
  readonly remaining: number
  readonly renewsAt: Millis | undefined
}
