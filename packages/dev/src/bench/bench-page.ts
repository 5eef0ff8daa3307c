/** Renders a report as one HTML page. */
import { escapeHtml } from '@turnpike/core/lib'
import { count } from 'turnpike/embedding'
import { type Bar, barChart, frame } from '../measurement/bar-chart.ts'
import type { Comparison } from '../measurement/compare-values.ts'
import { brief } from '../measurement/comparison-lines.ts'
import { loadWarning, machineLine } from '../measurement/machine-facts.ts'
import { comparisonPart, reportPage, table } from '../measurement/measurement-page.ts'
import { type Metric, percentileNames } from '../measurement/metric.ts'
import { durationCells, durationHeads } from './bench-lines.ts'
import type { BatchCost, BenchReport, ReloadCost, RequestCost } from './bench-report.ts'
import { flameChart } from './flame-chart.ts'
import { latencyChart, reloadChart, speedUpChart } from './line-charts.ts'

export function benchHtml(report: BenchReport, comparison: Comparison | undefined): string {
  const { machine, version, at, ways: requests, batches, reloads, leftOut } = report
  const busy = loadWarning(machine)
  const parts = [
    '<h1>turnpike bench</h1>',
    `<p class="facts">turnpike ${escapeHtml(version)}, ${escapeHtml(at)}, ${escapeHtml(machineLine(machine))}</p>`,
    ...(busy === undefined ? [] : [`<p>${escapeHtml(busy)}.</p>`]),
    ...(comparison === undefined ? [] : comparisonPart(comparison)),
    ...(requests.length === 0 ? [] : [...stagesPart(requests), ...latencyPart(requests)]),
    ...(batches.length === 0 ? [] : batchesPart(batches)),
    ...(reloads.length === 0 ? [] : reloadsPart(reloads)),
    ...(leftOut.length === 0 ? [] : leftOutPart(leftOut)),
  ]
  return reportPage('turnpike bench', parts)
}

function stagesPart(requests: readonly RequestCost[]): string[] {
  return [
    '<h2>CPU time of a request, by phase and stage</h2>',
    '<p>Microseconds of CPU time in process, with an upstream that responds at once. Each chart shows the stages of one chain; the width of a stage is its share. Stages are timed one by one with tracing, so their sum can differ from the whole request, which is timed without.</p>',
    ...requests.map(({ name, status, total, stages }) =>
      flameChart(`${name}: ${brief(total.median)} µs${status < 400 ? '' : `, responded with ${status}`}`, stages),
    ),
    table(
      'CPU time by stage',
      ['API', 'stage', 'phase', 'median', 'quartiles'],
      requests.flatMap(({ name, total, stages }) => [
        [name, 'the whole request', '', ...cells(total, 'µs')],
        ...stages.map(({ stage, phase, cost }) => [name, stage, phase, ...cells(cost, 'µs')]),
      ]),
    ),
  ]
}

function latencyPart(requests: readonly RequestCost[]): string[] {
  return [
    '<h2>Latency of a request</h2>',
    '<p>Microseconds of wall time in process, one request at a time. The highest percentiles contain pauses of the garbage collector and of the machine.</p>',
    frame('Chart of latency percentiles', latencyChart(requests)),
    table(
      'Latency percentiles',
      ['API', 'p50', 'p90', 'p99', 'p99.9', 'longest'],
      requests.map(({ name, latency }) => [
        name,
        ...percentileNames.map((share) => `${brief(latency[share].median)} µs`),
      ]),
    ),
  ]
}

function batchesPart(batches: readonly BatchCost[]): string[] {
  const rows = batches.flatMap(({ name, items, durations }) =>
    durations.map((duration) => [
      name,
      `${items}`,
      `${duration.upstreamMs} ms (${brief(duration.latencyMs)} measured)`,
      ...durationCells(duration),
    ]),
  )
  return [
    '<h2>Batches</h2>',
    `<p>At most ${batches[0]?.concurrency ?? 0} items run at once. The theoretical limit in order is items × latency; at once it is ceil(items ÷ concurrency) × latency plus the work of the gateway for each item. Efficiency is the limit divided by the measured time.</p>`,
    frame('Speed-up of batches at once over batches in order', speedUpChart(batches)),
    table('Duration of batches', ['API', 'items', 'upstream', ...durationHeads], rows),
    table(
      'CPU time of an item',
      ['API', 'items', 'at once', 'quartiles', 'in order', 'quartiles'],
      batches.map(({ name, items, perItem }) => [
        name,
        `${items}`,
        ...cells(perItem.parallel, 'µs'),
        ...cells(perItem.inOrder, 'µs'),
      ]),
    ),
  ]
}

function reloadsPart(reloads: readonly ReloadCost[]): string[] {
  const bars: Bar[] = reloads.map(({ name, duration }) => ({ label: name, metric: duration }))
  return [
    `<h2>Reloads of ${count(reloads[0]?.definitions ?? 0, 'definition')}</h2>`,
    '<p>Duration of a reload in milliseconds.</p>',
    frame('Chart of the duration of reloads', barChart('Duration of reloads in milliseconds', bars, 'ms')),
    '<p>Requests around the worst reload of each kind: one request is due each millisecond; the chart shows how long each took. A stall of the event loop is a peak that falls to the right.</p>',
    frame('Requests around the worst reload', reloadChart(reloads)),
    table(
      'Latency of requests during reloads',
      ['reload', 'p50', 'p90', 'p99', 'p99.9', 'longest'],
      [...reloads.slice(0, 1).map(({ undisturbed }) => ({ name: 'no reload', latency: undisturbed })), ...reloads].map(
        ({ name, latency }) => [name, ...percentileNames.map((share) => `${brief(latency[share].median)} ms`)],
      ),
    ),
  ]
}

function leftOutPart(leftOut: readonly string[]): string[] {
  return [
    '<h2>Not measured, or not whole</h2>',
    `<ul>${leftOut.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`,
  ]
}

const cells = ({ median, low, high }: Metric, unit: string) => [
  `${brief(median)} ${unit}`,
  `${brief(low)}–${brief(high)}`,
]
