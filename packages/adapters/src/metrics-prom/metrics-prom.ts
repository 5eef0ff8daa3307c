/**
 * Metrics of a gateway in the text format of Prometheus. It hears of every request as a record sink; what others
 * count is asked for when somebody scrapes. The list, for users: docs/metrics.md.
 *
 * Labels are bounded: APIs by number, the rest by closed lists of ours. No path, key or client is ever a label.
 */
import type { BreakerChange, BreakerStatus, EventCounts, RecordSink, ReloadReport } from '@turnpike/core'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type ApiSeries, makeApiSeries } from './api-series.ts'

export interface PromMetricsOptions {
  /** Metrics of the process and of Node beside those of the gateway. Default: true. */
  readonly processMetrics?: boolean
  /** APIs with a label of their own; the rest is `(other)`. Default: 1,000. */
  readonly maxApis?: number
}

/** What is asked at each scrape. */
export interface ScrapedFacts {
  breakers?(): readonly BreakerStatus[]
  events?(): EventCounts
  analytics?(): { readonly written: number; readonly dropped: number }
  /** Absent: the store is in this process and cannot be away. */
  store?(): { readonly up: boolean; readonly refused: number; readonly outages: number }
}

export interface PromMetrics extends RecordSink {
  reloaded(report: ReloadReport): void
  breakerChanged(change: BreakerChange): void
  /** Tells where to ask; once, when the parts are there. */
  scrape(facts: ScrapedFacts): void
  text(): Promise<string>
  readonly contentType: string
}

export function makePromMetrics({ processMetrics = true, maxApis = 1000 }: PromMetricsOptions = {}): PromMetrics {
  const registry = new Registry()
  const registers = [registry]
  if (processMetrics) collectDefaultMetrics({ register: registry })
  const series: ApiSeries = makeApiSeries(registry, maxApis)
  let facts: ScrapedFacts = {}

  const reloads = new Counter({
    name: 'turnpike_reloads_total',
    help: 'Reloads by what came of them: ok, problems (some definitions or policies were not taken), dropped',
    labelNames: ['result'] as const,
    registers,
  })
  const reloadSeconds = new Histogram({
    name: 'turnpike_reload_duration_seconds',
    help: 'How long reloads took',
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const definitions = new Gauge({
    name: 'turnpike_definitions',
    help: 'API definitions after the last reload: loaded, failed',
    labelNames: ['state'] as const,
    registers,
  })
  const breakerChanges = new Counter({
    name: 'turnpike_breaker_changes_total',
    help: 'Circuit breakers that opened (tripped) or closed (reset)',
    labelNames: ['api', 'change'] as const,
    registers,
  })
  new Gauge({
    name: 'turnpike_breakers_open',
    help: 'Circuit breakers that are open or half open',
    registers,
    collect() {
      this.set((facts.breakers?.() ?? []).filter(({ state }) => state !== 'closed').length)
    },
  })
  new Counter({
    name: 'turnpike_events_total',
    help: 'Events since the start: fired, and what came of the web hooks they were for',
    labelNames: ['result'] as const,
    registers,
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(facts.events?.() ?? {})) this.inc({ result }, count)
    },
  })
  new Counter({
    name: 'turnpike_analytics_records_total',
    help: 'Analytics records since the start: written to their sinks, dropped',
    labelNames: ['result'] as const,
    registers,
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(facts.analytics?.() ?? {})) this.inc({ result }, count)
    },
  })

  new Gauge({
    name: 'turnpike_store_up',
    help: 'Whether the store answers: 1, or 0 while it is away',
    registers,
    collect() {
      this.set(facts.store?.().up === false ? 0 : 1)
    },
  })
  new Counter({
    name: 'turnpike_store_failures_total',
    help: 'Of a store over a network since the start: outages, and calls that were refused because of them',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      this.reset()
      const { refused = 0, outages = 0 } = facts.store?.() ?? {}
      this.inc({ kind: 'outages' }, outages)
      this.inc({ kind: 'refused' }, refused)
    },
  })

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
    scrape(given) {
      facts = given
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  } satisfies PromMetrics
}
