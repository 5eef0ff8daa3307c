/** One line about one request: what phase 7 hands to whoever wants to know. */
import type { Millis } from '../../ports/clock.ts'

export interface RequestRecord {
  readonly apiId: string
  readonly apiName: string
  readonly orgId: string
  readonly method: string
  /** Without the stripped listen path. */
  readonly path: string
  readonly host: string
  readonly clientAddress: string
  readonly userAgent: string
  readonly status: number
  /** Hash of the key, or empty. */
  readonly keyLogName: string
  readonly version: string
  readonly startedAt: Millis
  readonly totalMs: number
  readonly upstreamMs: number
  readonly upstreamAddress: string
  /** The stage that refused, its code and message; `undefined` when an answer was made. */
  readonly refusal: { readonly stage: string; readonly code: string; readonly message: string } | undefined
}

export interface RecordSink {
  record(entry: RequestRecord): void
}
