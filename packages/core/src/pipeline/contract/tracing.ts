/**
 * Distributed tracing of requests (docs/reference/opentelemetry.md). Without it, requests have no spans and trace headers
 * of clients pass unchanged.
 */
import type { ApiDefinition, ApiVersion } from '../../definition/api-definition.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import type { Rejection } from '../../http/rejections.ts'
import type { CallTracer } from '../../ports/call-span.ts'
import type { TracedStage } from './stage-trace.ts'

export interface Tracing {
  /**
   * Starts the span of a request. `parent`: the span of the batch that contains the request; without one, the headers of
   * the request name the parent. Must be fast and must not throw, as all methods of spans.
   */
  start(request: GatewayRequest, parent?: RequestSpan): RequestSpan
  /** Runs `fn` so that calls of the store belong to the span. Absent: calls of the store have no spans. */
  readonly within?: (<T>(span: RequestSpan, fn: () => T) => T) | undefined
  /** A monotonic clock in microseconds, for the stages of recorded spans. */
  nowMicros(): number
}

/** The span of one request. All requests have ids; only those that are sampled are recorded. */
export interface RequestSpan extends CallTracer {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** The span is exported, so the chain reports its stages and its target. */
  readonly isRecorded: boolean
  /** False: nothing measures the request, so that `end` need not be called. */
  readonly needsEnd: boolean
  /** Called when a chain of an API starts. A loop calls it again for the inner API. */
  entered(context: SpannedContext): void
  /** Sets the query of the client without credentials. */
  describe(query: string): void
  /** Called once. `stages`: empty unless the span is recorded. Returns the response, with an observed body if it streams. */
  end(response: GatewayResponse, recorded: RecordedStages | undefined): GatewayResponse
}

/** The fields of `RequestContext` that describe a request at its end. */
export interface SpannedContext {
  readonly api: ApiDefinition
  readonly version: ApiVersion
  readonly fromCache: boolean
  readonly clientAddress: string | undefined
  readonly rejection: Rejection | undefined
  readonly rejectedBy: string | undefined
}

/** What a recorded span learns from the chain. */
export interface RecordedStages {
  readonly stages: readonly TracedStage[]
  /** When each stage started, in microseconds of the clock of the tracing. */
  readonly starts: readonly number[]
  /** Replaces secrets of the definition in a text. */
  shown(text: string): string
}
