/**
 * Merges the reports of several processes. Each process compiles and inlines differently and has another memory
 * layout, which changes small metrics more than the rounds within one process show; the merged spread includes that
 * noise.
 */

import { type Metric, mapPercentiles, medianOf, type Percentiles } from '../measurement/metric.ts'
import type {
  BatchCost,
  BatchDuration,
  BatchTime,
  BenchReport,
  ReloadCost,
  ReloadTimeline,
  RequestCost,
  StageCost,
} from './bench-report.ts'

/** Throws if the list is empty. A metric that only some reports contain is merged from those. */
export function mergeReports(reports: readonly BenchReport[]): BenchReport {
  const [first] = reports
  if (first === undefined) throw new Error('no process of the benchmark gave a result')
  return {
    ...first,
    calibration: mergeMetrics(reports.map(({ calibration }) => calibration)),
    ways: mergeBy(
      reports.map(({ ways }) => ways),
      ({ api, version, request }) => `${api} ${version} ${request}`,
      mergeRequests,
    ),
    batches: mergeBy(
      reports.map(({ batches }) => batches),
      ({ api, version, request, items }) => `${api} ${version} ${request} ${items}`,
      mergeBatches,
    ),
    reloads: mergeBy(
      reports.map(({ reloads }) => reloads),
      ({ name }) => name,
      mergeReloads,
    ),
    leftOut: [...new Set(reports.flatMap(({ leftOut }) => leftOut))],
  }
}

/** The median of the medians, with the lowest and the highest quartile of all reports. */
export function mergeMetrics(metrics: readonly Metric[]): Metric {
  return {
    median: medianOf(metrics.map(({ median }) => median)),
    low: Math.min(...metrics.map(({ low }) => low)),
    high: Math.max(...metrics.map(({ high }) => high)),
    rounds: metrics.flatMap(({ rounds }) => rounds),
  }
}

function mergeBy<T>(lists: readonly (readonly T[])[], nameOf: (one: T) => string, merge: (same: T[]) => T): T[] {
  const byName = new Map<string, T[]>()
  for (const one of lists.flat()) {
    const same = byName.get(nameOf(one))
    if (same === undefined) byName.set(nameOf(one), [one])
    else same.push(one)
  }
  return [...byName.values()].map(merge)
}

function mergeRequests(requests: readonly RequestCost[]): RequestCost {
  return {
    ...firstOf(requests),
    total: mergeMetrics(requests.map(({ total }) => total)),
    latency: mergePercentiles(requests.map(({ latency }) => latency)),
    stages: mergeBy(
      requests.map(({ stages }) => stages),
      ({ stage }) => stage,
      (same): StageCost => ({ ...firstOf(same), cost: mergeMetrics(same.map(({ cost }) => cost)) }),
    ),
  }
}

function mergeBatches(batches: readonly BatchCost[]): BatchCost {
  return {
    ...firstOf(batches),
    perItem: {
      parallel: mergeMetrics(batches.map(({ perItem }) => perItem.parallel)),
      inOrder: mergeMetrics(batches.map(({ perItem }) => perItem.inOrder)),
    },
    durations: mergeBy(
      batches.map(({ durations }) => durations),
      ({ upstreamMs }) => `${upstreamMs}`,
      mergeDurations,
    ),
  }
}

function mergeDurations(durations: readonly BatchDuration[]): BatchDuration {
  const inOrder = durations.flatMap((one) => (one.inOrder === undefined ? [] : [one.inOrder]))
  return {
    upstreamMs: firstOf(durations).upstreamMs,
    latencyMs: medianOf(durations.map(({ latencyMs }) => latencyMs)),
    parallel: mergeTimes(durations.map(({ parallel }) => parallel)),
    ...(inOrder.length === 0 ? {} : { inOrder: mergeTimes(inOrder) }),
  }
}

function mergeTimes(times: readonly BatchTime[]): BatchTime {
  return {
    duration: mergeMetrics(times.map(({ duration }) => duration)),
    limitMs: medianOf(times.map(({ limitMs }) => limitMs)),
  }
}

function mergeReloads(reloads: readonly ReloadCost[]): ReloadCost {
  return {
    ...firstOf(reloads),
    duration: mergeMetrics(reloads.map(({ duration }) => duration)),
    latency: mergePercentiles(reloads.map(({ latency }) => latency)),
    undisturbed: mergePercentiles(reloads.map(({ undisturbed }) => undisturbed)),
    worst: reloads.map(({ worst }) => worst).reduce((a, b) => (longestWait(b) > longestWait(a) ? b : a)),
  }
}

function mergePercentiles(all: readonly Percentiles[]): Percentiles {
  return mapPercentiles((name) => mergeMetrics(all.map((one) => one[name])))
}

/** The longest wait of a request, in milliseconds. */
export function longestWait({ requests }: ReloadTimeline): number {
  return requests.reduce((longest, [, waitedMs]) => Math.max(longest, waitedMs), 0)
}

const firstOf = <T>(same: readonly T[]): T => same[0] as T
