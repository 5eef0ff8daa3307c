/** Spans of calls that a request causes (docs/reference/opentelemetry.md). */
import type { HeaderPairs } from '../http/headers.ts'

/** The span of a request, as far as calls need it. */
export interface CallTracer {
  /**
   * Puts the trace context into the headers of a call, in place of that of the client. Returns `undefined` if nothing
   * measures the call.
   */
  startCall(call: OutgoingCall, headers: HeaderPairs): CallSpan | undefined
}

/** A request to an upstream, or to another server that a request needs. */
export interface OutgoingCall {
  readonly method: string
  /** Scheme and authority. */
  readonly origin: string
  /** Host and port as in the `Host` header. */
  readonly host: string
  /** Path and query. */
  readonly path: string
}

export interface CallSpan {
  /** Called once. `status`: 0 if there is no response. `error`: why there is none. */
  end(status: number, error: string | undefined): void
}
