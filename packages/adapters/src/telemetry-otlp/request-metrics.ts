/** Metrics of requests and of calls to upstreams by the semantic conventions of OpenTelemetry for HTTP. */
import type { ApiDefinition, GatewayRequest, OutgoingCall } from '@turnpike/core'
import { CounterSeries, HistogramSeries, type SampledSpan, SeriesTable } from './histogram.ts'
import { methodOf, splitAuthority } from './span-attributes.ts'
import type { Attributes } from './span-data.ts'
import type { WallClock } from './wall-clock.ts'

export interface FinishedRequest {
  /** `undefined` for an item of a batch: the batch is the request. */
  readonly request: GatewayRequest | undefined
  readonly api: ApiDefinition | undefined
  readonly status: number
  readonly seconds: number
  readonly rejectedBy: { readonly stage: string; readonly code: string } | undefined
  /** The span of the request if it is exported. */
  readonly sampled: SampledSpan | undefined
}

export interface FinishedCall {
  readonly call: OutgoingCall
  /** 0: there is no response. */
  readonly status: number
  readonly error: string | undefined
  readonly seconds: number
  readonly sampled: SampledSpan | undefined
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

  finished({ request, api, status, seconds, rejectedBy, sampled }: FinishedRequest): void {
    if (request !== undefined) {
      this.active -= 1
      const { method, secure } = request
      const route = api?.listenPath ?? ''
      const series = this.requests.of([route, methodOf(method), status, secure], () =>
        requestAttributes(request, route, status),
      )
      this.record(series, seconds, sampled)
    }
    if (rejectedBy === undefined) return
    const { stage, code } = rejectedBy
    const apiId = api?.id ?? ''
    this.rejections.of([apiId, stage, code], () => ({
      'turnpike.api.id': apiId === '' ? undefined : apiId,
      'turnpike.rejection.stage': stage,
      'turnpike.rejection.code': code,
    })).value += 1
  }

  called({ call, status, error, seconds, sampled }: FinishedCall): void {
    const { method, origin, host } = call
    const series = this.calls.of([origin, host, methodOf(method), error ?? status], () => {
      const { host: address, port } = splitAuthority(host)
      return {
        'http.request.method': methodOf(method),
        'http.response.status_code': status === 0 ? undefined : status,
        'error.type': error ?? (status >= 400 ? String(status) : undefined),
        'server.address': address,
        'server.port': port ?? (origin.startsWith('https:') ? 443 : 80),
        'url.scheme': origin.startsWith('https:') ? 'https' : 'http',
      }
    })
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
