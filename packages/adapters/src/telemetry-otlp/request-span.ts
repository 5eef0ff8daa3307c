/** The span of a request, and the spans of its calls to upstreams. */
import {
  type ByteStream,
  type GatewayRequest,
  type GatewayResponse,
  type HeaderPairs,
  ObservedStream,
  rejections,
} from '@turnpike/core/http'
import type { RecordedStages, RequestSpan, SpannedContext } from '@turnpike/core/pipeline'
import type { CallSpan, GatewaySettings, Ids, OutgoingCall } from '@turnpike/core/ports'
import type { RejectedBy, RequestMetrics } from './request-metrics.ts'
import { callAttributes, serverAttributes, spanNameOf } from './span-attributes.ts'
import { newSpanId, type SpanData, type SpanSink, spanKind } from './span-data.ts'
import { stageEvents, stageSpans } from './stage-spans.ts'
import type { Propagation } from './trace-context.ts'
import type { WallClock } from './wall-clock.ts'

/** What all spans of a gateway share. */
export interface SpanServices {
  readonly ids: Ids
  readonly time: WallClock
  readonly sink: SpanSink
  readonly propagation: Propagation
  /** Absent: nothing is measured except spans. */
  readonly metrics: RequestMetrics | undefined
  readonly routing: GatewaySettings['routing']
}

export interface SpanOrigin {
  readonly traceId: string
  /** Empty for the first span of a trace. */
  readonly parentId: string
  readonly state: string
  readonly isRecorded: boolean
  /** The request is an item of a batch, which no client sent on its own. */
  readonly isInner: boolean
}

/** Shared by spans that are not recorded, which add none. */
const noCalls: SpanData[] = []

export class OtlpRequestSpan implements RequestSpan {
  readonly traceId: string
  readonly spanId: string
  readonly state: string
  readonly isRecorded: boolean
  readonly needsEnd: boolean
  private readonly parentId: string
  private readonly isInner: boolean
  private readonly request: GatewayRequest
  private readonly services: SpanServices
  private readonly startedAt: number
  private context: SpannedContext | undefined = undefined
  private last: SpannedContext | undefined = undefined
  private query = ''
  private shown: ((text: string) => string) | undefined = undefined
  /** Calls that ended before the request: the secrets of the definition are known only at its end. */
  private readonly calls: SpanData[]

  constructor(services: SpanServices, request: GatewayRequest, origin: SpanOrigin) {
    this.services = services
    this.request = request
    this.traceId = origin.traceId
    // The first span of a trace gets random digits of the new trace id, which saves an id for each request.
    this.spanId = origin.parentId === '' ? origin.traceId.slice(16) : newSpanId(services.ids)
    this.parentId = origin.parentId
    this.state = origin.state
    this.isRecorded = origin.isRecorded
    this.isInner = origin.isInner
    this.calls = origin.isRecorded ? [] : noCalls
    this.needsEnd = origin.isRecorded || services.metrics !== undefined
    this.startedAt = this.needsEnd ? services.time.nowMicros() : 0
    if (!origin.isInner) services.metrics?.started()
  }

  entered(context: SpannedContext): void {
    this.context ??= context
    this.last = context
  }

  describe(query: string): void {
    this.query = query
  }

  startCall(call: OutgoingCall, headers: HeaderPairs): CallSpan | undefined {
    const { services, traceId, state, isRecorded } = this
    const spanId = isRecorded ? newSpanId(services.ids) : this.spanId
    services.propagation.inject({ traceId, spanId, sampled: isRecorded, state }, headers)
    if (!isRecorded && services.metrics === undefined) return undefined
    const startedAt = services.time.nowMicros()
    return { end: (status, error) => this.endCall(call, spanId, startedAt, status, error) }
  }

  end(response: GatewayResponse, recorded: RecordedStages | undefined): GatewayResponse {
    const { services, context, last, isInner } = this
    const { metrics, time } = services
    if (metrics !== undefined) {
      const seconds = (time.nowMicros() - this.startedAt) / 1e6
      const rejectedBy = last === undefined ? routeRejection(response.status) : rejectionOf(last)
      if (!isInner) {
        const route = context?.api.listenPath ?? ''
        metrics.finished(this.request, route, response.status, seconds, this.isRecorded ? this : undefined)
      }
      if (rejectedBy !== undefined) metrics.rejected(context?.api.id ?? '', rejectedBy)
    }
    if (recorded === undefined) return response
    this.shown = recorded.shown
    const finish = this.makeFinish(response.status, recorded)
    const { body } = response
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) finish(true)
    else response.body = new SpannedBody(body, finish)
    return response
  }

  /** Adds a span of a call that the request caused, such as a command of Redis. */
  addChild(span: Pick<SpanData, 'name' | 'startedAt' | 'attributes' | 'failed'>): void {
    this.services.sink.add({
      ...span,
      ...this.clientSpan(newSpanId(this.services.ids), span.startedAt),
      shown: undefined,
    })
  }

  /** What the spans of all calls of this request have in common. The span ends now. */
  private clientSpan(spanId: string, startedAt: number) {
    const { traceId, spanId: parentId, state, services } = this
    const { time } = services
    return {
      traceId,
      spanId,
      parentId,
      state,
      kind: spanKind.client,
      events: [],
      startedAt: time.toEpoch(startedAt),
      endedAt: time.toEpoch(time.nowMicros()),
    }
  }

  private endCall(call: OutgoingCall, spanId: string, startedAt: number, status: number, error?: string): void {
    const { services, traceId } = this
    const seconds = (services.time.nowMicros() - startedAt) / 1e6
    services.metrics?.called(call, status, error, seconds, this.isRecorded ? { traceId, spanId } : undefined)
    if (!this.isRecorded) return
    const span: SpanData = {
      ...this.clientSpan(spanId, startedAt),
      name: spanNameOf(call.method, undefined),
      attributes: callAttributes(call, status, error),
      failed: error !== undefined || status >= 400,
      // The target URL of a definition can contain secrets.
      shown: (text) => this.shown?.(text) ?? text,
    }
    // A refresh in the background can end after the request.
    if (this.shown === undefined) this.calls.push(span)
    else services.sink.add(span)
  }

  private makeFinish(status: number, recorded: RecordedStages): (complete: boolean) => void {
    const { services, context, last, request, query, traceId, spanId, parentId, state, calls } = this
    const { time, sink, routing, ids } = services
    const attributes = serverAttributes({ request, query, status, context, last, routing })
    const startedAt = time.toEpoch(this.startedAt)
    const isDetailed = context?.api.document.detailedTracing === true
    const { shown } = recorded
    const stages = isDetailed ? stageSpans(recorded, { time, ids, traceId, spanId, state, shown }) : []
    const events = isDetailed ? [] : stageEvents(recorded, time)
    let isFinished = false
    return (complete) => {
      if (isFinished) return
      isFinished = true
      const span: SpanData = {
        traceId,
        spanId,
        parentId,
        state,
        name: spanNameOf(request.method, context?.api.listenPath),
        kind: this.isInner ? spanKind.internal : spanKind.server,
        startedAt,
        endedAt: time.toEpoch(time.nowMicros()),
        attributes: complete ? attributes : { ...attributes, 'error.type': 'response_incomplete' },
        events,
        failed: status >= 500 || !complete,
        shown,
      }
      for (const one of calls) sink.add(one)
      for (const one of stages) sink.add(one)
      sink.add(span)
    }
  }
}

/** Ends the span of a request with the body of its response. */
class SpannedBody extends ObservedStream {
  private readonly finish: (complete: boolean) => void

  constructor(source: ByteStream, finish: (complete: boolean) => void) {
    super(source)
    this.finish = finish
  }

  protected onChunk(): void {}

  protected onEnd(complete: boolean): void {
    this.finish(complete)
  }
}

function rejectionOf({ rejection, rejectedBy = '' }: SpannedContext): RejectedBy | undefined {
  return rejection === undefined ? undefined : { stage: rejectedBy, code: rejection.code }
}

/** Requests that reach no API are rejected by the router, except for the redirect to a clean path. */
function routeRejection(status: number): RejectedBy | undefined {
  return status < 400 ? undefined : { stage: 'route', code: status === 404 ? rejections.notFound.code : String(status) }
}
