/** An OpenTelemetry collector that keeps what it receives: OTLP over HTTP, in JSON. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Attributes
  readonly events: readonly { readonly name: string; readonly attributes: Attributes }[]
  readonly status: { readonly code?: number }
}

export type Attributes = Readonly<Record<string, string | number | boolean>>

export interface ReceivedMetric {
  readonly name: string
  readonly unit: string
  readonly points: readonly (Attributes & Readonly<Record<string, unknown>>)[]
}

export interface Collector {
  readonly url: string
  /** Headers of the requests, oldest first. */
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  readonly spans: readonly ReceivedSpan[]
  /** Attributes of the resource that sent the last request. */
  resource(): Attributes
  /** The metrics of the last export, by name. */
  metrics(): ReadonlyMap<string, ReceivedMetric>
  /** Resolves when this many spans have arrived; rejects after 5 s. */
  waitForSpans(count: number): Promise<readonly ReceivedSpan[]>
  /** Status of the next responses. 0: the collector never responds. */
  respondWith(status: number): void
  close(): Promise<void>
}

/** `tls`: private key and certificate in PEM; without them the collector has no TLS. */
export async function startCollector(tls?: { readonly key: string; readonly cert: string }): Promise<Collector> {
  const requests: { path: string; headers: IncomingHttpHeaders }[] = []
  const spans: ReceivedSpan[] = []
  let resource: Attributes = {}
  let metrics = new Map<string, ReceivedMetric>()
  let status = 200
  const listener: RequestListener = async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    requests.push({ path: request.url ?? '', headers: request.headers })
    if (status === 0) return
    if (status === 200) {
      const body = JSON.parse(text)
      for (const { resource: from, scopeSpans } of body.resourceSpans ?? []) {
        resource = toAttributes(from.attributes)
        for (const scope of scopeSpans) spans.push(...scope.spans.map(toSpan))
      }
      for (const { resource: from, scopeMetrics } of body.resourceMetrics ?? []) {
        resource = toAttributes(from.attributes)
        metrics = new Map(scopeMetrics[0].metrics.map((one: RawMetric) => [one.name, toMetric(one)]))
      }
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans,
    resource: () => resource,
    metrics: () => metrics,
    async waitForSpans(count) {
      for (let waited = 0; spans.length < count && waited < 5000; waited += 5) {
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      if (spans.length < count) throw new Error(`${spans.length} of ${count} spans arrived within 5 s`)
      return spans
    },
    respondWith(next) {
      status = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type RawPairs = { key: string; value: Record<string, string | number | boolean> }[]
type RawPoint = { attributes: RawPairs } & Record<string, unknown>
type RawMetric = {
  name: string
  unit: string
  sum?: { dataPoints: RawPoint[] }
  histogram?: { dataPoints: RawPoint[] }
}

type RawSpan = Omit<ReceivedSpan, 'attributes' | 'events'> & {
  attributes: RawPairs
  events?: { name: string; attributes: RawPairs }[]
}

function toSpan(raw: RawSpan): ReceivedSpan {
  const events = (raw.events ?? []).map(({ name, attributes }) => ({ name, attributes: toAttributes(attributes) }))
  return { ...raw, attributes: toAttributes(raw.attributes), events }
}

function toMetric({ name, unit, sum, histogram }: RawMetric): ReceivedMetric {
  const points = (sum ?? histogram)?.dataPoints ?? []
  return { name, unit, points: points.map((point) => ({ ...point, ...toAttributes(point.attributes) })) as never }
}

function toAttributes(pairs: RawPairs): Attributes {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [
      key,
      value['intValue'] === undefined ? (Object.values(value)[0] as string | number) : Number(value['intValue']),
    ]),
  )
}
