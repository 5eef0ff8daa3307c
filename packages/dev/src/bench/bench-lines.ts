/** Formats a report as text for a terminal, with the most expensive stages first. */
import { columns } from 'turnpike/embedding'
import type { BenchReport } from './bench-report.ts'
import type { Comparison } from './compare-reports.ts'
import type { Metric } from './metric.ts'

/** Number of stages listed for each request. */
const shownStages = 5

export function benchLines(report: BenchReport): string[] {
  const { machine, ways, batches, reloads, leftOut } = report
  const lines = [`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, turnpike ${report.version}`]
  if (ways.length > 0) {
    lines.push('', 'requests, in process; CPU time of the whole, the upstream answers at once:')
    const rows = ways.flatMap(({ name, status, total, stages }) => [
      [`  ${name}`, formatMetric(total, 'µs'), `${status}`],
      ...stages
        .toSorted((a, b) => b.cost.median - a.cost.median)
        .slice(0, shownStages)
        .map(({ stage, cost }) => [`    ${stage}`, formatMetric(cost, 'µs'), shareBar(cost.median, total.median)]),
    ])
    lines.push(...columns([['  API and its slowest stages', 'median (quartiles)', ''], ...rows]))
  }
  if (batches.length > 0) {
    lines.push('', `batches; the last two columns with an upstream of ${batches[0]?.upstreamMs} ms:`)
    const head = ['  API', 'items', 'an item at once', 'an item in order', 'all at once', 'all in order', '']
    const rows = batches.map(({ name, items, perItem, whole, answered }) => [
      `  ${name}`,
      `${items}`,
      formatMetric(perItem.parallel, 'µs'),
      formatMetric(perItem.inOrder, 'µs'),
      formatMetric(whole.parallel, 'ms'),
      formatMetric(whole.inOrder, 'ms'),
      answered === items ? '' : `only ${answered} of ${items} answered with success`,
    ])
    lines.push(...columns([head, ...rows]))
  }
  if (reloads.length > 0) {
    lines.push('', `reloads of ${reloads[0]?.definitions} definitions, under a request each millisecond:`)
    const rows = reloads.map(({ name, duration, latency, undisturbed }) => [
      `  ${name}`,
      formatMetric(duration, 'ms'),
      `${brief(latency.p99.median)} ms (${brief(undisturbed.p99.median)} without)`,
      `${brief(latency.longest.median)} ms (${brief(undisturbed.longest.median)} without)`,
    ])
    lines.push(...columns([['  what', 'takes', 'p99 of requests', 'longest'], ...rows]))
  }
  if (leftOut.length > 0) lines.push('', 'not measured, or not whole:', ...leftOut.map((text) => `  ${text}`))
  return lines
}

export function comparisonLines({ pace, changes, gone, added }: Comparison, file: string): string[] {
  const other = changes.filter(({ verdict }) => verdict !== 'same')
  const slower = other.filter(({ verdict }) => verdict === 'slower').length
  const head = [
    `against ${file}: ${slower} slower, ${other.length - slower} faster, ${changes.length - other.length} the same`,
  ]
  if (pace !== 1) head.push(`  this machine took ${pace.toFixed(2)}× for the same work; earlier figures are put right`)
  const rows = other
    .toSorted((a, b) => b.now / b.before - a.now / a.before)
    .map(({ name, unit, before, now, noise, verdict }) => [
      `  ${verdict}`,
      name,
      `${brief(before)} → ${brief(now)} ${unit}`,
      `${(now / before).toFixed(2)}× (noise ±${Math.round(noise * 100)} %)`,
    ])
  const missing = [...gone.map((name) => [`  gone`, name, '', '']), ...added.map((name) => ['  new', name, '', ''])]
  return [...head, ...columns([...rows, ...missing])]
}

const formatMetric = ({ median, low, high }: Metric, unit: string) =>
  `${brief(median)} ${unit} (${brief(low)}–${brief(high)})`

/** Rounds to three significant digits. */
export function brief(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

function shareBar(part: number, whole: number): string {
  const share = whole === 0 ? 0 : Math.min(1, part / whole)
  return `${'█'.repeat(Math.round(share * 20)).padEnd(20, '·')} ${Math.round(share * 100)} %`
}
