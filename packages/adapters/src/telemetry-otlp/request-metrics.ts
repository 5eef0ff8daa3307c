/** Metrics of requests and of calls to upstreams by the semantic conventions of OpenTelemetry for HTTP. */
import type { GatewayRequest } from '@turnpike/core/http'
import type { OutgoingCall } from '@turnpike/core/ports'
import { CounterSeries, HistogramSeries, type SampledSpan, SeriesTable } from './histogram.ts'
import { callAttributes, methodOf } from './span-attributes.ts'
import type { Attributes } from './span-data.ts'
import type { WallClock } from './wall-clock.ts'

/** The stage that rejected a request, and the code of the rejection. */
export interface RejectedBy {
  readonly stage: string
  readonly code: string
}

export class RequestMetrics {
  readonly requests = new SeriesTable((attributes) => new HistogramSeries(attributes))
  readonly calls = new SeriesTable((attributes) => new HistogramSeries(attributes))
  readonly rejections = new SeriesTable((attributes) => new CounterSeries(attributes))
  /** Requests without a response. */
  active = 0
  private readonly time: WallClock

  constructor(time: WallClock) {
    this.time = time
  }

  started(): void {
    this.active += 1
  }

  /** A request of a client. `sampled`: its span if it is exported. */
  finished(
    request: GatewayRequest,
    route: string,
    status: number,
    seconds: number,
    sampled: SampledSpan | undefined,
  ): void {
    this.active -= 1
    const labels = [route, methodOf(request.method), status, request.secure]
    this.record(
      this.requests.of(labels, () => requestAttributes(request, route, status)),
      seconds,
      sampled,
    )
  }

  rejected(apiId: string, { stage, code }: RejectedBy): void {
    this.rejections.of([apiId, stage, code], () => ({
      'turnpike.api.id': apiId === '' ? undefined : apiId,
      'turnpike.rejection.stage': stage,
      'turnpike.rejection.code': code,
    })).value += 1
  }

  /** `status`: 0 if there is no response. `sampled`: the span of the call if it is exported. */
  called(
    call: OutgoingCall,
    status: number,
    error: string | undefined,
    seconds: number,
    sampled: SampledSpan | undefined,
  ): void {
    const { method, origin, host } = call
    const series = this.calls.of([origin, host, methodOf(method), error ?? status], () => ({
      ...callAttributes(call, status, error),
      // Not as many values as calls.
      'http.request.method_original': undefined,
      'url.full': undefined,
      'url.scheme': origin.startsWith('https:') ? 'https' : 'http',
    }))
    this.record(series, seconds, sampled)
  }

  private record(series: HistogramSeries, value: number, sampled: SampledSpan | undefined): void {
    series.record(value)
    if (sampled === undefined) return
    const { traceId, spanId } = sampled
    series.exemplar = { traceId, spanId, value, at: this.time.toEpoch(this.time.nowMicros()) }
  }
}

function requestAttributes({ method, secure }: GatewayRequest, route: string, status: number): Attributes {
  return {
    'http.request.method': methodOf(method),
    'url.scheme': secure ? 'https' : 'http',
    'http.response.status_code': status,
    'http.route': route === '' ? undefined : route,
    'error.type': status >= 500 ? String(status) : undefined,
  }
}
