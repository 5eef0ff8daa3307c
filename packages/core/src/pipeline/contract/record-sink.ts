import type { Millis } from '../../lib/text/time.ts'

/** The facts about one request, rejected or not. */
export interface RequestRecord {
  readonly apiId: string
  readonly apiName: string
  readonly orgId: string
  readonly method: string
  /** Path below the listen path. */
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
  /** Empty if no upstream was called. */
  readonly upstreamAddress: string
  /** `undefined` if the response cache does not apply to the request. */
  readonly cache?: 'hit' | 'miss' | undefined
  /** Id of the request's trace if the trace is exported. */
  readonly traceId?: string | undefined
  /** The stage that rejected the request, its phase, code and message; `undefined` if no stage did. */
  readonly rejection:
    | { readonly stage: string; readonly phase?: string | undefined; readonly code: string; readonly message: string }
    | undefined
}

export interface RecordSink {
  record(entry: RequestRecord): void
}
