/** The result of `turnpike bench`. It is printed as JSON, can be kept in a file, and is compared with later results. */
import type { MachineFacts } from '../measurement/machine-facts.ts'
import type { Metric, Percentiles } from '../measurement/metric.ts'

export interface BenchReport {
  readonly kind: 'turnpike-bench'
  readonly version: string
  /** ISO 8601. */
  readonly at: string
  readonly machine: MachineFacts
  /** CPU time of the calibration workload in microseconds: the speed of this machine during the run. */
  readonly calibration: Metric
  /** One for each measured request. The JSON of earlier results has this name. */
  readonly ways: readonly RequestCost[]
  readonly batches: readonly BatchCost[]
  readonly reloads: readonly ReloadCost[]
  /** What was not measured, and why. */
  readonly leftOut: readonly string[]
}

/** The cost of one request to one version of one API. */
export interface RequestCost {
  /** ID of the API. */
  readonly api: string
  /** Name of the version; empty if the API has one version, and for a request of the user. */
  readonly version: string
  /** Name of the API and, if it has several, of the version or of the request. */
  readonly name: string
  readonly request: string
  readonly status: number
  /** CPU time of a request in microseconds, measured without tracing. */
  readonly total: Metric
  /** Wall time of a request in microseconds, one request at a time. */
  readonly latency: Percentiles
  /** The stages in the order of the chain, in microseconds each. */
  readonly stages: readonly StageCost[]
}

export interface StageCost {
  readonly stage: string
  readonly phase: string
  readonly cost: Metric
}

/** Batches of one size to one API, in parallel and in order. */
export interface BatchCost {
  /** ID of the API. */
  readonly api: string
  /** Name of the version; empty if the API has one version, and for a request of the user. */
  readonly version: string
  readonly name: string
  /** The request of each item. */
  readonly request: string
  readonly items: number
  /** Number of items with a successful response. */
  readonly answered: number
  /** CPU time of an item in microseconds, with an upstream that responds at once. */
  readonly perItem: { readonly parallel: Metric; readonly inOrder: Metric }
  /** Number of items that the gateway runs at once. */
  readonly concurrency: number
  /** One for each delay of the upstream. */
  readonly durations: readonly BatchDuration[]
}

/** The duration of a batch with an upstream that has a delay. */
export interface BatchDuration {
  /** The delay in milliseconds that was set. */
  readonly upstreamMs: number
  /** The median time of single calls to the upstream in milliseconds; timers are late. */
  readonly latencyMs: number
  readonly parallel: BatchTime
  /** Absent if the batch would have taken too long. */
  readonly inOrder?: BatchTime
}

export interface BatchTime {
  /** Milliseconds. */
  readonly duration: Metric
  /** The theoretical limit in milliseconds. */
  readonly limitMs: number
}

/** Reloads of one kind, and the latency of requests during them. */
export interface ReloadCost {
  /** `nothing changed`, `one changed`, `all changed`. */
  readonly name: string
  readonly definitions: number
  /** Milliseconds. */
  readonly duration: Metric
  /** Milliseconds from the time when a request was due to its response, at a constant rate. */
  readonly latency: Percentiles
  /** The same latency without a reload. */
  readonly undisturbed: Percentiles
  /** The round in which a request waited longest. */
  readonly worst: ReloadTimeline
}

/** The requests around one reload. */
export interface ReloadTimeline {
  /** Duration of the reload in milliseconds. */
  readonly reloadMs: number
  /** When each request was due, in milliseconds since the reload began, and how long it then took. */
  readonly requests: readonly (readonly [dueMs: number, waitedMs: number])[]
}

/** A metric of a report, with what a comparison needs. */
export interface ComparedMetric {
  /** Identifies the metric in another report. */
  readonly key: string
  readonly name: string
  readonly unit: 'µs' | 'ms'
  readonly metric: Metric
  /** True if the value depends on the speed of the machine, false if it is time spent on waiting for a timer. */
  readonly calibrated: boolean
  /** What must be equal in both reports, in words, such as `status 200`. */
  readonly conditions: Readonly<Record<string, string | number>>
}

/** Returns every metric of a report, for comparison. */
export function metricsOf(report: BenchReport): ComparedMetric[] {
  return [
    ...report.ways.flatMap(metricsOfRequest),
    ...report.batches.flatMap(metricsOfBatch),
    ...report.reloads.flatMap(metricsOfReload),
  ]
}

function metricsOfRequest({ api, version, name, request, status, total, stages }: RequestCost): ComparedMetric[] {
  const conditions = { request, status }
  const one = (what: string, metric: Metric): ComparedMetric => {
    return {
      key: `${api} ${version} ${request}: ${what}`,
      name: `${name}: ${what}`,
      unit: 'µs',
      metric,
      calibrated: true,
      conditions,
    }
  }
  return [one('a request', total), ...stages.map(({ stage, cost }) => one(`stage ${stage}`, cost))]
}

function metricsOfBatch(batch: BatchCost): ComparedMetric[] {
  const { api, version, name, request, items, answered, perItem, concurrency, durations } = batch
  const one = (what: string, unit: 'µs' | 'ms', metric: Metric): ComparedMetric => {
    const conditions = {
      'items with success': answered,
      ...(unit === 'ms' ? { 'batch.max_concurrency': concurrency } : {}),
    }
    const text = `batch of ${items}, ${what}`
    const key = `${api} ${version} ${request}: ${text}`
    return { key, name: `${name}: ${text}`, unit, metric, calibrated: unit === 'µs', conditions }
  }
  return [
    one('at once, an item', 'µs', perItem.parallel),
    one('in order, an item', 'µs', perItem.inOrder),
    ...durations.flatMap(({ upstreamMs, parallel, inOrder }) => [
      one(`at once, upstream of ${upstreamMs} ms`, 'ms', parallel.duration),
      ...(inOrder === undefined ? [] : [one(`in order, upstream of ${upstreamMs} ms`, 'ms', inOrder.duration)]),
    ]),
  ]
}

function metricsOfReload({ name, definitions, duration, latency }: ReloadCost): ComparedMetric[] {
  const one = (what: string, metric: Metric, calibrated: boolean): ComparedMetric => {
    const text = `reload, ${name}${what}`
    return { key: text, name: text, unit: 'ms', metric, calibrated, conditions: { definitions } }
  }
  return [one('', duration, true), one(': p99 of requests', latency.p99, false)]
}
