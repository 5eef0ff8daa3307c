/**
 * Renders a report as one HTML page without scripts or external resources; it follows the light or dark mode of the
 * reader's system.
 */

import { escapeHtml } from '@turnpike/core'
import { count } from 'turnpike/embedding'
import { loadWarning, machineLine } from '../measurement/machine-facts.ts'
import { brief, formatInterval, formatValues } from './bench-lines.ts'
import type { BenchReport } from './bench-report.ts'
import { type Bar, barChart, stackChart } from './charts.ts'
import type { Comparison } from './compare-reports.ts'
import type { Metric } from './metric.ts'

export function benchHtml(report: BenchReport, comparison: Comparison | undefined): string {
  const { machine, version, at, ways, batches, reloads, leftOut } = report
  const busy = loadWarning(machine)
  const parts = [
    `<h1>turnpike bench</h1>`,
    `<p class="facts">turnpike ${escapeHtml(version)}, ${escapeHtml(at)}, ${escapeHtml(machineLine(machine))}</p>`,
    ...(busy === undefined ? [] : [`<p>${escapeHtml(busy)}.</p>`]),
    ...(comparison === undefined ? [] : comparisonPart(comparison)),
    '<h2>What a request costs, by stage</h2>',
    '<p>Microseconds of CPU time in process; the upstream answers at once. Stages are timed one by one with notes taken, so their sum may differ from the whole, which is timed without.</p>',
    stackChart(
      ways.map(({ name, stages, total, status }) => ({
        label: name,
        note: `${brief(total.median)} µs${status < 400 ? '' : `, answered ${status}`}`,
        parts: stages.map(({ stage, cost }) => ({ name: stage, value: cost.median })),
      })),
    ),
    table(
      ['API', 'stage', 'phase', 'median', 'quartiles'],
      ways.flatMap(({ name, total, stages }) => [
        [name, 'the whole', '', ...cells(total, 'µs')],
        ...stages.map(({ stage, phase, cost }) => ['', stage, phase, ...cells(cost, 'µs')]),
      ]),
    ),
  ]
  if (batches.length > 0) {
    const bars = batches.flatMap(({ name, items, whole }): Bar[] => [
      { label: `${name}, ${items} at once`, metric: whole.parallel },
      { label: `${name}, ${items} in order`, metric: whole.inOrder },
    ])
    parts.push(
      '<h2>Batches</h2>',
      `<p>Milliseconds of a batch with an upstream that takes ${batches[0]?.upstreamMs ?? 0} ms.</p>`,
      barChart(bars, 'ms'),
      table(
        ['API', 'items', 'an item at once', '', 'an item in order', ''],
        batches.map(({ name, items, perItem }) => [
          name,
          `${items}`,
          ...cells(perItem.parallel, 'µs'),
          ...cells(perItem.inOrder, 'µs'),
        ]),
      ),
    )
  }
  if (reloads.length > 0) {
    const [first] = reloads
    const bars: Bar[] = reloads.map(({ name, duration }) => ({ label: name, metric: duration }))
    const waits: Bar[] = [
      ...(first === undefined ? [] : [{ label: 'no reload', metric: first.undisturbed.longest }]),
      ...reloads.map(({ name, latency }) => ({ label: name, metric: latency.longest })),
    ]
    parts.push(
      `<h2>Reloads of ${count(first?.definitions ?? 0, 'definition')}</h2>`,
      '<p>How long a reload takes, milliseconds.</p>',
      barChart(bars, 'ms'),
      '<p>The longest that a request waited meanwhile, milliseconds from when it was due, at one request each millisecond.</p>',
      barChart(waits, 'ms'),
    )
  }
  if (leftOut.length > 0) {
    parts.push(
      '<h2>Not measured, or not whole</h2>',
      `<ul>${leftOut.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`,
    )
  }
  return page(parts.join('\n'))
}

function comparisonPart({ changes, pace, machines }: Comparison): string[] {
  const rows = changes.map((change) => [change.verdict, change.name, formatValues(change), formatInterval(change)])
  return [
    '<h2>Against the earlier result</h2>',
    `<p>This machine needs ${pace.toFixed(2)} times as long for the calibration workload; earlier values are scaled by it. Ratios have their 95 % interval.</p>`,
    ...machines.map((text) => `<p>Another machine or program: ${escapeHtml(text)}.</p>`),
    table(['verdict', 'metric', 'before and now', 'ratio'], rows),
  ]
}

const cells = ({ median, low, high }: Metric, unit: string) => [
  `${brief(median)} ${unit}`,
  `${brief(low)}–${brief(high)}`,
]

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (tag: string, values: readonly string[]) =>
    `<tr>${values.map((value) => `<${tag}>${escapeHtml(value)}</${tag}>`).join('')}</tr>`
  return `<div class="wide"><table><thead>${line('th', head)}</thead><tbody>${rows.map((row) => line('td', row)).join('\n')}</tbody></table></div>`
}

function page(body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>turnpike bench</title>
<style>
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --paper: #fff; --line: #d8dee6; --bar: #3567b0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e9f0; --soft: #9aa7b8; --paper: #141a22; --line: #2d3846; --bar: #6b9be0; }
}
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1, h2 { line-height: 1.2; }
.facts, svg .soft { color: var(--soft); fill: var(--soft); }
.wide { overflow-x: auto; }
svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); }
svg .bar { fill: var(--bar); }
svg .spread { stroke: var(--ink); stroke-width: 1.5; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 0.2rem 0.6rem 0.2rem 0; border-bottom: 1px solid var(--line); }
</style>
</head>
<body>
${body}
</body>
</html>
`
}
