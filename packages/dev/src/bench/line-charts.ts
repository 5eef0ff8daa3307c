/** The line charts of a report: latency percentiles, speed-up of batches, and requests around a reload. */
import { lineChart } from '../measurement/line-chart.ts'
import { percentileNames } from '../measurement/metric.ts'
import type { BatchCost, ReloadCost, RequestCost } from './bench-report.ts'

/** Lines of a chart with more APIs look alike. */
const maxLines = 8
const percentileTicks = ['p50', 'p90', 'p99', 'p99.9', 'longest'].map((label, at) => ({ at, label }))

export function latencyChart(requests: readonly RequestCost[]): string {
  const slowest = requests.toSorted((a, b) => b.latency.p50.median - a.latency.p50.median).slice(0, maxLines)
  return lineChart({
    description: `Latency percentiles in microseconds of ${slowest.map(({ name }) => name).join(', ')}`,
    x: {
      label: slowest.length < requests.length ? `percentile, the ${maxLines} slowest APIs` : 'percentile',
      scale: 'linear',
      ticks: percentileTicks,
    },
    y: { label: 'µs', scale: 'log' },
    lines: slowest.map(({ name, latency }, group) => ({
      label: name,
      group,
      points: percentileNames.map((share, i) => [i, latency[share].median] as const),
    })),
  })
}

/** How many times faster items at once are than items in order, for each API and latency, beside the limit. */
export function speedUpChart(batches: readonly BatchCost[]): string {
  const series = new Map<
    string,
    { readonly label: string; readonly measured: [number, number][]; readonly limit: [number, number][] }
  >()
  for (const { api, version, request, name, items, durations } of batches) {
    for (const { upstreamMs, parallel, inOrder } of durations) {
      if (inOrder === undefined) continue
      const key = `${api} ${version} ${request} ${upstreamMs}`
      const one = series.get(key) ?? { label: `${name}, ${upstreamMs} ms`, measured: [], limit: [] }
      one.measured.push([items, inOrder.duration.median / parallel.duration.median])
      one.limit.push([items, inOrder.limitMs / parallel.limitMs])
      series.set(key, one)
    }
  }
  const shown = [...series.values()].slice(0, maxLines)
  return lineChart({
    description: 'Speed-up of batches at once over batches in order by number of items, beside the theoretical limit',
    x: {
      label: `items, at most ${batches[0]?.concurrency ?? 0} at once`,
      scale: 'log',
      ticks: [...new Set(batches.map(({ items }) => items))].map((at) => ({ at, label: `${at}` })),
    },
    y: { label: 'speed-up', scale: 'linear' },
    lines: shown.flatMap(({ label, measured, limit }, group) => [
      { label, group, points: measured },
      { label: 'limit', group, points: limit, dashed: true },
    ]),
  })
}

/** Each request around the worst reload of each kind: when it was due, and how long it took. */
export function reloadChart(reloads: readonly ReloadCost[]): string {
  return lineChart({
    description: `Milliseconds that requests took around a reload: ${reloads.map(({ name }) => name).join(', ')}`,
    x: { label: 'ms since the reload began', scale: 'linear' },
    y: { label: 'ms', scale: 'linear' },
    lines: reloads.map(({ name, worst }, group) => ({
      label: `${name}, ${worst.reloadMs.toFixed(1)} ms`,
      group,
      points: worst.requests,
    })),
  })
}
