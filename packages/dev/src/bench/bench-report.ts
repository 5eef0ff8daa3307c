/** What `turnpike bench` found: printed as JSON, kept in a file, and compared with later. */
import type { Metric } from './metric.ts'

export interface BenchReport {
  readonly kind: 'turnpike-bench'
  readonly version: string
  /** ISO 8601. */
  readonly at: string
  readonly machine: BenchMachine
  /** A fixed piece of work, microseconds: tells how fast this machine was just then. */
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

/** One version of one API, asked by one request. */
export interface WayCost {
  readonly name: string
  readonly request: string
  readonly status: number
  /** Microseconds of CPU time of a request, without notes being taken. */
  readonly total: Metric
  /** In the order of the chain, microseconds each. */
  readonly stages: readonly StageCost[]
}

export interface StageCost {
  readonly stage: string
  readonly phase: string
  readonly cost: Metric
}

/** Batches of one size to one API, both ways. */
export interface BatchCost {
  readonly name: string
  readonly items: number
  /** Items that were answered with success. */
  readonly answered: number
  /** Microseconds of CPU time of an item, where the upstream answers at once. */
  readonly perItem: { readonly parallel: Metric; readonly inOrder: Metric }
  /** Milliseconds of a batch, where the upstream takes its time. */
  readonly whole: { readonly parallel: Metric; readonly inOrder: Metric }
  readonly upstreamMs: number
}

/** Reloads of one kind, and how long requests waited meanwhile. */
export interface ReloadCost {
  /** `nothing changed`, `one changed`, `all changed`. */
  readonly name: string
  readonly definitions: number
  /** Milliseconds. */
  readonly duration: Metric
  /** Milliseconds from when a request was due to its answer, at a constant rate. */
  readonly latency: LatencyOf
  /** The same without a reload. */
  readonly undisturbed: LatencyOf
}

export interface LatencyOf {
  readonly p50: Metric
  readonly p99: Metric
  readonly longest: Metric
}

/** Every figure by a name of its own, for comparing. */
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
