/** Why a stage rejected a request, for `explain` and the dashboard. */
import type { Millis } from '../../ports/clock.ts'

export interface RejectionReason {
  /** Code of the rejection, as in docs/errors.md. */
  readonly code: string
  /** One sentence for people. */
  readonly message: string
  /** The limit and who sets it, without the time of a retry. Absent if no limit was exceeded. */
  readonly limit?: string
  /** What decided. Empty if that is not known. */
  readonly setBy: readonly LimitOwner[]
  /** When the limit has room again; `undefined`: a retry does not help, or the limit never resets. */
  readonly retryAt: Millis | undefined
}

export interface LimitOwner {
  readonly kind: 'policy' | 'key' | 'api' | 'organisation'
  /** Of a key: the hash that logs show. */
  readonly id: string
  /** Alias of a key, name of a policy or an API. */
  readonly name: string
}
