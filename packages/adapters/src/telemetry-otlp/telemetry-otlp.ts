/**
 * Traces and metrics in the protocol of OpenTelemetry, sent as JSON over HTTP (docs/reference/opentelemetry.md).
 * docs/decisions/0025-opentelemetry-without-its-sdk.md says why the SDK is not used.
 */
import type { Tracing } from '@turnpike/core/pipeline'
import type { Clock, GatewaySettings, Ids, Log } from '@turnpike/core/ports'
import type { StoreObserver } from '../store-redis/observe-commands.ts'
import { makeActiveSpan } from './active-span.ts'
import { ExportReport } from './export-report.ts'
import { startMetricsTimer } from './metrics-timer.ts'
import { metricsToJson, type Resource, spanToJson, tracesToJson } from './otlp-json.ts'
import { makeOtlpSender, type OtlpSender, type OtlpSenderOptions } from './otlp-sender.ts'
import { RequestMetrics } from './request-metrics.ts'
import { OtlpRequestSpan, type SpanServices } from './request-span.ts'
import { makeSampler, type Sampling } from './sampler.ts'
import { SpanQueue } from './span-queue.ts'
import { b3Propagation, w3cPropagation } from './trace-context.ts'
import { makeWallClock } from './wall-clock.ts'

export type { ServiceTls as OtlpTls } from '../service-connection/service-connection.ts'
export type { StoreObserver } from '../store-redis/observe-commands.ts'
export type { Sampling } from './sampler.ts'

export interface OtlpTelemetryOptions {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Monotonic microseconds. Default: time of the clock. */
  readonly nowMicros?: () => number
  readonly collector: OtlpSenderOptions
  /** Replaces the HTTP client, for tests. */
  readonly sender?: OtlpSender
  readonly resource: Resource
  readonly propagation: 'tracecontext' | 'b3'
  readonly sampling: Sampling
  /** `simple` sends each span when it ends. */
  readonly processor: 'batch' | 'simple'
  /** Milliseconds between exports of metrics; absent: metrics are not exported. */
  readonly metricsIntervalMs?: number | undefined
  /** Name of the networked store, such as `redis`; absent: calls of the store have no spans. */
  readonly storeSystem?: string | undefined
  readonly routing: GatewaySettings['routing']
}

export interface OtlpTelemetry {
  readonly tracing: Tracing
  /** Observes the store; `undefined` if its calls have no spans. */
  readonly store: StoreObserver | undefined
  /** Sends what is queued, for at most this many milliseconds. */
  close(maxMs: number): Promise<void>
}

const batchDelayMs = 5000

export function makeOtlpTelemetry(options: OtlpTelemetryOptions): OtlpTelemetry {
  const { clock, ids, log, collector, resource, sampling, storeSystem, metricsIntervalMs } = options
  const time = makeWallClock(clock, options.nowMicros)
  const sender = options.sender ?? makeOtlpSender(collector)
  const report = new ExportReport(log, clock, collector.endpoint)
  const queue = new SpanQueue({
    ...{ clock, report },
    encode: spanToJson,
    send: (spans) => sender.send('traces', tracesToJson(spans, resource)),
    delayMs: options.processor === 'simple' ? 0 : batchDelayMs,
  })
  const metrics = metricsIntervalMs === undefined ? undefined : new RequestMetrics(time)
  const startedAt = time.toEpoch(time.nowMicros())
  const timer =
    metrics === undefined || metricsIntervalMs === undefined
      ? undefined
      : startMetricsTimer({
          ...{ clock, report, intervalMs: metricsIntervalMs },
          send() {
            const { droppedSpans } = report
            const now = time.toEpoch(time.nowMicros())
            return sender.send('metrics', metricsToJson({ metrics, droppedSpans, startedAt, now }, resource))
          },
        })
  const active = storeSystem === undefined ? undefined : makeActiveSpan(time, storeSystem)
  const propagation = options.propagation === 'b3' ? b3Propagation : w3cPropagation
  const services: SpanServices = { ids, time, sink: queue, propagation, metrics, routing: options.routing }
  return {
    tracing: makeTracing(services, sampling, active?.within),
    store: active?.store,
    async close(maxMs) {
      await Promise.all([queue.close(maxMs), timer?.close(maxMs)])
      await sender.close()
    },
  }
}

function makeTracing(services: SpanServices, sampling: Sampling, within: Tracing['within']): Tracing {
  const { ids, propagation, time } = services
  const isSampled = makeSampler(sampling)
  return {
    within,
    nowMicros: time.nowMicros,
    start(request, parent) {
      if (parent instanceof OtlpRequestSpan) {
        const { traceId, spanId: parentId, state, isRecorded } = parent
        return new OtlpRequestSpan(services, request, { traceId, parentId, state, isRecorded, isInner: true })
      }
      const from = propagation.extract(request.headers)
      const traceId = from?.traceId ?? ids.uuid()
      return new OtlpRequestSpan(services, request, {
        traceId,
        parentId: from?.spanId ?? '',
        state: from?.state ?? '',
        isRecorded: isSampled(traceId, from?.sampled),
        isInner: false,
      })
    },
  }
}
