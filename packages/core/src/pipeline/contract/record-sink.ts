import type { Millis } from '../../lib/text/time.ts'

/** What is recorded of one request, rejected ones included. */
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
  /** Empty: no upstream was asked. */
  readonly upstreamAddress: string
  /** What the response cache did; `undefined`: the request was none of its matters. */
  readonly cache?: 'hit' | 'miss' | undefined
  /** The stage that refused, its phase, code and message; `undefined` when an answer was made. */
  readonly refusal:
    | { readonly stage: string; readonly phase?: string | undefined; readonly code: string; readonly message: string }
    | undefined
}

export interface RecordSink {
  record(entry: RequestRecord): void
}
