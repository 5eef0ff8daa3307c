/** The result of `turnpike bench`. It is printed as JSON, can be kept in a file, and is compared with later results. */
import type { Metric } from './metric.ts'

export interface BenchReport {
  readonly kind: 'turnpike-bench'
  readonly version: string
  /** ISO 8601. */
  readonly at: string
  readonly machine: BenchMachine
  /** CPU time of the calibration workload in microseconds: the speed of this machine during the run. */
  readonly yardstick: Metric
  readonly ways: readonly WayCost[]
  readonly batches: readonly BatchCost[]
  readonly reloads: readonly ReloadCost[]
  /** What was not measured, and why. */
  readonly leftOut: readonly string[]
}

export interface BenchMachine {
  readonly cpu: string
  readonly cores: number
  readonly node: string
  readonly platform: string
}

/** The cost of one request to one version of one API. */
export interface WayCost {
  readonly name: string
  readonly request: string
  readonly status: number
  /** CPU time of a request in microseconds, measured without tracing. */
  readonly total: Metric
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
  readonly name: string
  readonly items: number
  /** Number of items with a successful response. */
  readonly answered: number
  /** CPU time of an item in microseconds, with an upstream that responds at once. */
  readonly perItem: { readonly parallel: Metric; readonly inOrder: Metric }
  /** Duration of a batch in milliseconds, with an upstream that has a delay. */
  readonly whole: { readonly parallel: Metric; readonly inOrder: Metric }
  readonly upstreamMs: number
}

/** Reloads of one kind, and the latency of requests during them. */
export interface ReloadCost {
  /** `nothing changed`, `one changed`, `all changed`. */
  readonly name: string
  readonly definitions: number
  /** Milliseconds. */
  readonly duration: Metric
  /** Milliseconds from the time when a request was due to its response, at a constant rate. */
  readonly latency: LatencyOf
  /** The same latency without a reload. */
  readonly undisturbed: LatencyOf
}

export interface LatencyOf {
  readonly p50: Metric
  readonly p99: Metric
  readonly longest: Metric
}

/** Returns every metric under a unique name, for comparison. */
export function metricsOf(report: BenchReport): Map<string, { readonly metric: Metric; readonly unit: 'µs' | 'ms' }> {
  const all = new Map<string, { metric: Metric; unit: 'µs' | 'ms' }>()
  for (const { name, total, stages } of report.ways) {
    all.set(`${name}: a request`, { metric: total, unit: 'µs' })
    for (const { stage, cost } of stages) all.set(`${name}: stage ${stage}`, { metric: cost, unit: 'µs' })
  }
  for (const { name, items, perItem, whole } of report.batches) {
    const batch = `${name}: batch of ${items}`
    all.set(`${batch}, at once, an item`, { metric: perItem.parallel, unit: 'µs' })
    all.set(`${batch}, in order, an item`, { metric: perItem.inOrder, unit: 'µs' })
    all.set(`${batch}, at once`, { metric: whole.parallel, unit: 'ms' })
    all.set(`${batch}, in order`, { metric: whole.inOrder, unit: 'ms' })
  }
  for (const { name, duration, latency } of report.reloads) {
    all.set(`reload, ${name}`, { metric: duration, unit: 'ms' })
    all.set(`reload, ${name}: p99 of requests`, { metric: latency.p99, unit: 'ms' })
  }
  return all
}
