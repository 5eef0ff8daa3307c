/**
 * Metrics in the text formats of Prometheus and OpenMetrics. As a record sink it counts every request; counters of other parts of the gateway
 * are read at each scrape. docs/metrics.md lists the metrics.
 *
 * The number of label values is limited: APIs by `maxApis`, all others by fixed lists. Paths, keys and clients are never
 * labels.
 */
import type { ReloadReport } from '@turnpike/core/engine'
import type { BreakerChange, BreakerStatus, EventCounts } from '@turnpike/core/observability'
import type { RecordSink } from '@turnpike/core/pipeline'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type ApiSeries, makeApiSeries } from './api-series.ts'
import { acceptsOpenMetrics, openMetricsType, toOpenMetrics } from './open-metrics.ts'

export interface PromMetricsOptions {
  /** Includes metrics of the process and of Node. Default: true. */
  readonly processMetrics?: boolean
  /** Maximum number of APIs with their own label; others are counted as `(other)`. Default: 1,000. */
  readonly maxApis?: number
}

/** Functions that are called at each scrape. */
export interface ScrapeSources {
  breakers?(): readonly BreakerStatus[]
  events?(): EventCounts
  analytics?(): { readonly written: number; readonly dropped: number }
  /** Missing if the store is in this process. */
  store?(): { readonly up: boolean; readonly rejected: number; readonly outages: number }
}

export type CollectedMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export interface PromMetrics extends RecordSink {
  reloaded(report: ReloadReport): void
  breakerChanged(change: BreakerChange): void
  /** Sets the sources, once they exist. */
  setSources(sources: ScrapeSources): void
  /** The metrics of this process as JSON, for `render` in another one. */
  collect(): Promise<CollectedMetrics>
  /**
   * `accept`: the header of the scrape. OpenMetrics, which has exemplars, is written where it is accepted. `all`: the
   * metrics of all processes of the gateway, which are added up. Default: those of this process.
   */
  render(
    accept?: string,
    all?: readonly CollectedMetrics[],
  ): Promise<{ readonly contentType: string; readonly text: string }>
}

export function makePromMetrics({ processMetrics = true, maxApis = 1000 }: PromMetricsOptions = {}): PromMetrics {
  const registry = new Registry()
  const registers = [registry]
  if (processMetrics) collectDefaultMetrics({ register: registry })
  const series: ApiSeries = makeApiSeries(registry, maxApis)
  const reloads = new Counter({
    name: 'turnpike_reloads_total',
    help: 'Reloads by result: ok, problems (some definitions or policies were rejected), dropped',
    labelNames: ['result'] as const,
    registers,
  })
  const reloadSeconds = new Histogram({
    name: 'turnpike_reload_duration_seconds',
    help: 'Duration of reloads',
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const definitions = new Gauge({
    name: 'turnpike_definitions',
    help: 'API definitions after the last reload: loaded, failed',
    labelNames: ['state'] as const,
    // All processes serve the same definitions.
    aggregator: 'max',
    registers,
  })
  const breakerChanges = new Counter({
    name: 'turnpike_breaker_changes_total',
    help: 'Circuit breakers that opened (tripped) or closed (reset)',
    labelNames: ['api', 'change'] as const,
    registers,
  })
  let sources: ScrapeSources = {}
  registerScrapedMetrics(registry, () => sources)

  return {
    record: series.record,
    reloaded({ durationMs, loaded, failed, dropped, policies }) {
      const problems = failed.length > 0 || policies.problem !== undefined
      reloads.inc({ result: dropped !== undefined ? 'dropped' : problems ? 'problems' : 'ok' })
      reloadSeconds.observe(durationMs / 1000)
      definitions.set({ state: 'loaded' }, loaded)
      definitions.set({ state: 'failed' }, failed.length)
    },
    breakerChanged: ({ rule, kind }) => breakerChanges.inc({ api: series.labelOf(rule.apiId), change: kind }),
    setSources(given) {
      sources = given
    },
    collect: () => registry.getMetricsAsJSON(),
    async render(accept = '', all = undefined) {
      const rendered: Pick<Registry, 'metrics' | 'getMetricsAsJSON'> =
        all === undefined ? registry : AggregatorRegistry.aggregate([...all])
      if (acceptsOpenMetrics(accept))
        return { contentType: openMetricsType, text: await toOpenMetrics(rendered, series.exemplars) }
      return { contentType: registry.contentType, text: await rendered.metrics() }
    },
  } satisfies PromMetrics
}

/** Metrics that are read from their sources at each scrape. */
function registerScrapedMetrics(registry: Registry, sources: () => ScrapeSources): void {
  const gauge = (name: string, help: string, read: () => number, aggregator: 'sum' | 'min' = 'sum') =>
    new Gauge({
      ...{ name, help, aggregator },
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  /** A counter with one value for each value of its label. */
  const counter = (name: string, help: string, label: string, read: () => Readonly<Record<string, number>>) =>
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset()
        for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count)
      },
    })

  gauge(
    'turnpike_breakers_open',
    'Circuit breakers that are open or half open',
    () => (sources().breakers?.() ?? []).filter(({ state }) => state !== 'closed').length,
  )
  counter(
    'turnpike_events_total',
    'Events since the start: fired, and the results of their web hooks',
    'result',
    () => ({ ...sources().events?.() }),
  )
  counter(
    'turnpike_analytics_records_total',
    'Analytics records since the start: written to their sinks, dropped',
    'result',
    () => ({ ...sources().analytics?.() }),
  )
  const storeUp = () => (sources().store?.().up === false ? 0 : 1)
  gauge('turnpike_store_up', '1 if the store is reachable, else 0', storeUp, 'min')
  counter(
    'turnpike_store_failures_total',
    'Failures of the store since the start: outages of Redis or of the disk, and calls rejected during outages',
    'kind',
    () => {
      const { rejected = 0, outages = 0 } = sources().store?.() ?? {}
      return { outages, refused: rejected }
    },
  )
}
