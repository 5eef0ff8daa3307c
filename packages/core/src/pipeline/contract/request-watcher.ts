/** Watches requests of clients in detail, for the dashboard. */
import type { HeaderPairs } from '../../http/headers.ts'
import type { RequestRecord } from './record-sink.ts'
import type { RejectionReason } from './rejection-reason.ts'
import type { LimitReading, TracedStage } from './stage-trace.ts'

export interface RequestWatcher {
  /** Called for each request; true: the watcher wants its details. Must be fast and must not throw. */
  wants(): boolean
  /** A monotonic clock in microseconds. */
  nowMicros(): number
  /** Receives the details of a request before the record sinks receive its record. */
  watched(entry: RequestRecord, details: RequestDetails): void
}

/** What happened to a request. Texts contain `[masked]` or `[secret]` instead of credentials. */
export interface RequestDetails {
  /** Path and query as the client sent them. */
  readonly target: string
  readonly requestHeaders: HeaderPairs
  readonly responseHeaders: HeaderPairs
  readonly stages: readonly TracedStage[]
  /** In the order in which the request consumed them. */
  readonly limits: readonly LimitReading[]
  /** Why a stage rejected the request; absent: none did. */
  readonly why?: RejectionReason | undefined
  /** The request with its credentials, so that it can be explained again. Never show it. */
  readonly original: OriginalRequest
  /** Replaces the credentials of the request in a text. */
  shown(text: string): string
}

export interface OriginalRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: HeaderPairs
  readonly remoteAddress: string
  readonly secure: boolean
  /** TCP port of the API, or 0 for the gateway's port. */
  readonly port: number
  /** The body is not kept. */
  readonly hasBody: boolean
}
