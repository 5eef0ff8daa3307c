/**
 * The JSON encoding of the OpenTelemetry protocol (OTLP 1, ExportTraceServiceRequest and ExportMetricsServiceRequest).
 * Ids are hexadecimal, and 64-bit numbers are texts.
 */
import { type CounterSeries, durationBounds, type HistogramSeries } from './histogram.ts'
import type { RequestMetrics } from './request-metrics.ts'
import type { Attributes, SpanData } from './span-data.ts'

/** What sends the telemetry. */
export interface Resource {
  readonly attributes: Attributes
  /** Name and version of the program that created the spans. */
  readonly scope: { readonly name: string; readonly version: string }
}

/** Numbers of the protocol. */
const statusError = 2
const cumulative = 2
const sampledFlag = 1

/** `spans`: results of `spanToJson`. */
export function tracesToJson(spans: readonly string[], { attributes, scope }: Resource): string {
  const resource = JSON.stringify({ attributes: toPairs(attributes) })
  const scopeSpans = `[{"scope":${JSON.stringify(scope)},"spans":[${spans.join(',')}]}]`
  return `{"resourceSpans":[{"resource":${resource},"scopeSpans":${scopeSpans}}]}`
}

export function spanToJson(span: SpanData): string {
  return JSON.stringify(toSpan(span))
}

function toSpan(span: SpanData): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId === '' ? {} : { parentSpanId: span.parentId }),
    ...(span.state === '' ? {} : { traceState: span.state }),
    flags: sampledFlag,
    name: span.name,
    kind: span.kind,
    startTimeUnixNano: nanos(span.startedAt),
    endTimeUnixNano: nanos(span.endedAt),
    attributes: toPairs(span.attributes),
    ...(span.events.length === 0
      ? {}
      : {
          events: span.events.map(({ name, at, attributes }) => ({
            name,
            timeUnixNano: nanos(at),
            attributes: toPairs(attributes),
          })),
        }),
    status: span.failed ? { code: statusError } : {},
  }
}

/** `startedAt` and `now`: microseconds since 1970. */
export function metricsToJson(
  metrics: RequestMetrics,
  startedAt: number,
  now: number,
  { attributes, scope }: Resource,
): string {
  const times = { startTimeUnixNano: nanos(startedAt), timeUnixNano: nanos(now) }
  const sum = (isMonotonic: boolean, dataPoints: readonly object[]) => ({
    sum: { aggregationTemporality: cumulative, isMonotonic, dataPoints },
  })
  const list = [
    histogram('http.server.request.duration', 'Duration of requests of clients.', metrics.requests.list(), times),
    histogram('http.client.request.duration', 'Duration of calls to upstreams.', metrics.calls.list(), times),
    {
      name: 'http.server.active_requests',
      description: 'Requests of clients without a response.',
      unit: '{request}',
      ...sum(false, [{ ...times, asInt: String(metrics.active), attributes: [] }]),
    },
    {
      name: 'turnpike.rejections',
      description: 'Rejected requests by API, stage and code.',
      unit: '{request}',
      ...sum(
        true,
        metrics.rejections.list().map((series) => counterPoint(series, times)),
      ),
    },
  ]
  return JSON.stringify({
    resourceMetrics: [{ resource: { attributes: toPairs(attributes) }, scopeMetrics: [{ scope, metrics: list }] }],
  })
}

type Times = Readonly<Record<'startTimeUnixNano' | 'timeUnixNano', string>>

function histogram(name: string, description: string, series: readonly HistogramSeries[], times: Times): object {
  return {
    name,
    description,
    unit: 's',
    histogram: { aggregationTemporality: cumulative, dataPoints: series.map((one) => histogramPoint(one, times)) },
  }
}

function histogramPoint({ attributes, counts, count, sum, exemplar }: HistogramSeries, times: Times): object {
  return {
    ...times,
    attributes: toPairs(attributes),
    count: String(count),
    sum,
    bucketCounts: counts.map(String),
    explicitBounds: durationBounds,
    ...(exemplar === undefined
      ? {}
      : {
          exemplars: [
            {
              timeUnixNano: nanos(exemplar.at),
              asDouble: exemplar.value,
              traceId: exemplar.traceId,
              spanId: exemplar.spanId,
              filteredAttributes: [],
            },
          ],
        }),
  }
}

function counterPoint({ attributes, value }: CounterSeries, times: Times): object {
  return { ...times, attributes: toPairs(attributes), asInt: String(value) }
}

function toPairs(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]): object[] => {
    if (value === undefined) return []
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }]
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }]
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }]
  })
}

/** A number cannot hold nanoseconds since 1970 exactly. */
function nanos(micros: number): string {
  return `${Math.round(micros)}000`
}
