/**
 * The JSON encoding of the OpenTelemetry protocol (OTLP 1, ExportTraceServiceRequest and ExportMetricsServiceRequest).
 * Ids are hexadecimal, and 64-bit numbers are texts. Spans are written as text without objects in between, because they
 * are encoded on the thread that serves requests.
 */
import { type CounterSeries, durationBounds, type HistogramSeries } from './histogram.ts'
import type { RequestMetrics } from './request-metrics.ts'
import type { Attributes, AttributeValue, SpanData, SpanEvent } from './span-data.ts'

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

/** `spans`: results of `spanToJson`; at least one. */
export function tracesToJson(spans: readonly Uint8Array[], resource: Resource): Uint8Array {
  const parts = spans.flatMap((span) => [comma, span])
  parts[0] = Buffer.from(`{"resourceSpans":[{${originOf(resource, 'scopeSpans')},"spans":[`)
  return Buffer.concat([...parts, Buffer.from(']}]}]}')])
}

const comma = Buffer.from(',')

export function spanToJson(span: SpanData): Uint8Array {
  const { traceId, spanId, parentId, state, name, kind, shown } = span
  const parent = parentId === '' ? '' : `,"parentSpanId":"${parentId}"`
  const traceState = state === '' ? '' : `,"traceState":${JSON.stringify(state)}`
  const times = `"startTimeUnixNano":"${nanos(span.startedAt)}","endTimeUnixNano":"${nanos(span.endedAt)}"`
  const status = span.failed ? `{"code":${statusError}}` : '{}'
  return Buffer.from(
    `{"traceId":"${traceId}","spanId":"${spanId}"${parent}${traceState},"flags":${sampledFlag},` +
      `"name":${JSON.stringify(name)},"kind":${kind},${times},"attributes":${pairsToJson(span.attributes, shown)},` +
      `"events":${listOf(span.events, (event) => eventToJson(event, shown))},"status":${status}}`,
  )
}

function eventToJson({ name, at, attributes }: SpanEvent, shown: SpanData['shown']): string {
  const pairs = pairsToJson(attributes, shown)
  return `{"name":${JSON.stringify(name)},"timeUnixNano":"${nanos(at)}","attributes":${pairs}}`
}

export interface MetricsExport {
  readonly metrics: RequestMetrics
  /** Spans that were dropped since the start. */
  readonly droppedSpans: number
  /** Microseconds since 1970. */
  readonly startedAt: number
  readonly now: number
}

export function metricsToJson({ metrics, droppedSpans, startedAt, now }: MetricsExport, resource: Resource): string {
  const times = `"startTimeUnixNano":"${nanos(startedAt)}","timeUnixNano":"${nanos(now)}"`
  const histogram = (name: string, description: string, series: readonly HistogramSeries[]) => {
    const points = listOf(series, (one) => histogramPoint(one, times))
    const value = `{"aggregationTemporality":${cumulative},"dataPoints":${points}}`
    return `{"name":"${name}","description":"${description}","unit":"s","histogram":${value}}`
  }
  const sum = (name: string, description: string, unit: string, isMonotonic: boolean, points: string) => {
    const value = `{"aggregationTemporality":${cumulative},"isMonotonic":${isMonotonic},"dataPoints":${points}}`
    return `{"name":"${name}","description":"${description}","unit":"${unit}","sum":${value}}`
  }
  const one = (value: number) => `[{${times},"asInt":"${value}","attributes":[]}]`
  const rejections = listOf(metrics.rejections.list(), (series) => counterPoint(series, times))
  const list = [
    histogram('http.server.request.duration', 'Duration of requests of clients.', metrics.requests.list()),
    histogram('http.client.request.duration', 'Duration of calls to upstreams.', metrics.calls.list()),
    sum(
      'http.server.active_requests',
      'Requests of clients without a response.',
      '{request}',
      false,
      one(metrics.active),
    ),
    sum('turnpike.rejections', 'Rejected requests by API, stage and code.', '{request}', true, rejections),
    sum('turnpike.dropped_spans', 'Spans that were not exported.', '{span}', true, one(droppedSpans)),
  ]
  return `{"resourceMetrics":[{${originOf(resource, 'scopeMetrics')},"metrics":[${list.join(',')}]}]}]}`
}

function histogramPoint({ attributes, counts, count, sum, exemplar }: HistogramSeries, times: string): string {
  const buckets = `"bucketCounts":${listOf(counts, (one) => `"${one}"`)},"explicitBounds":[${durationBounds.join(',')}]`
  const exemplars = exemplar === undefined ? '' : `,"exemplars":[${exemplarToJson(exemplar)}]`
  return `{${times},"attributes":${pairsToJson(attributes)},"count":"${count}","sum":${sum},${buckets}${exemplars}}`
}

function exemplarToJson({ at, value, traceId, spanId }: NonNullable<HistogramSeries['exemplar']>): string {
  const span = `"traceId":"${traceId}","spanId":"${spanId}"`
  return `{"timeUnixNano":"${nanos(at)}","asDouble":${value},${span},"filteredAttributes":[]}`
}

function counterPoint({ attributes, value }: CounterSeries, times: string): string {
  return `{${times},"attributes":${pairsToJson(attributes)},"asInt":"${value}"}`
}

/** The resource, and the beginning of the list for its only scope. */
function originOf({ attributes, scope }: Resource, list: 'scopeSpans' | 'scopeMetrics'): string {
  return `"resource":{"attributes":${pairsToJson(attributes)}},"${list}":[{"scope":${JSON.stringify(scope)}`
}

/** Names are constants of this code, without characters that JSON escapes. `shown`: replaces secrets in values. */
function pairsToJson(attributes: Attributes, shown?: SpanData['shown']): string {
  let pairs = ''
  for (const name in attributes) {
    const value = attributes[name]
    if (value === undefined) continue
    if (pairs !== '') pairs += ','
    pairs += `{"key":"${name}","value":${valueToJson(value, shown)}}`
  }
  return `[${pairs}]`
}

function valueToJson(value: AttributeValue, shown: SpanData['shown']): string {
  if (typeof value === 'string') return `{"stringValue":${JSON.stringify(shown === undefined ? value : shown(value))}}`
  if (typeof value === 'boolean') return `{"boolValue":${value}}`
  return Number.isInteger(value) ? `{"intValue":"${value}"}` : `{"doubleValue":${value}}`
}

function listOf<T>(items: readonly T[], toJson: (item: T) => string): string {
  let list = ''
  for (const item of items) list += list === '' ? toJson(item) : `,${toJson(item)}`
  return `[${list}]`
}

/** A number cannot hold nanoseconds since 1970 exactly. */
function nanos(micros: number): string {
  return `${Math.round(micros)}000`
}
