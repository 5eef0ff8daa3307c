/** Formats a report as text for a terminal, with the most expensive stages first. */
import { columns, count } from 'turnpike/embedding'
import { efficiencyOf } from '../measurement/batch-limit.ts'
import { brief } from '../measurement/comparison-lines.ts'
import { loadWarning, machineLine } from '../measurement/machine-facts.ts'
import type { Metric } from '../measurement/metric.ts'
import type { BatchCost, BatchDuration, BatchTime, BenchReport } from './bench-report.ts'

/** Number of stages listed for each request. */
const shownStages = 5

export function benchLines(report: BenchReport): string[] {
  const { machine, ways: requests, batches, reloads, leftOut } = report
  const lines = [`${machineLine(machine)}, turnpike ${report.version}`]
  const busy = loadWarning(machine)
  if (busy !== undefined) lines.push(busy)
  if (requests.length > 0) {
    lines.push('', 'requests, in process; CPU time of the whole, the upstream responds at once:')
    const rows = requests.flatMap(({ name, status, total, stages }) => [
      [`  ${name}`, formatMetric(total, 'µs'), `${status}`],
      ...stages
        .toSorted((a, b) => b.cost.median - a.cost.median)
        .slice(0, shownStages)
        .map(({ stage, cost }) => [`    ${stage}`, formatMetric(cost, 'µs'), shareBar(cost.median, total.median)]),
    ])
    lines.push(...columns([['  API and its slowest stages', 'median (quartiles)', ''], ...rows]))
  }
  if (batches.length > 0) lines.push(...batchLines(batches))
  if (reloads.length > 0) {
    lines.push('', `reloads of ${count(reloads[0]?.definitions ?? 0, 'definition')}, under a request each millisecond:`)
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

function batchLines(batches: readonly BatchCost[]): string[] {
  const items = batches.map(({ name, items, perItem, answered }) => [
    `  ${name}`,
    `${items}`,
    formatMetric(perItem.parallel, 'µs'),
    formatMetric(perItem.inOrder, 'µs'),
    answered === items ? '' : `only ${answered} of ${items} answered with success`,
  ])
  const durations = batches.flatMap(({ name, items, durations }) =>
    durations.map((duration) => [`  ${name}`, `${items}`, `${duration.upstreamMs} ms`, ...durationCells(duration)]),
  )
  return [
    '',
    'batches; CPU time of an item, the upstream responds at once:',
    ...columns([['  API', 'items', 'at once', 'in order', ''], ...items]),
    '',
    `batches; duration, at most ${count(batches[0]?.concurrency ?? 0, 'item')} at once:`,
    ...columns([['  API', 'items', 'upstream', ...durationHeads], ...durations]),
  ]
}

/** Heads of the columns of `durationCells`. */
export const durationHeads = ['at once', 'limit, efficiency', 'in order', 'limit, efficiency', 'speed-up']

export function durationCells(duration: BatchDuration): string[] {
  const { parallel, inOrder } = duration
  return [
    formatTime(parallel),
    formatLimit(parallel),
    formatTime(inOrder),
    formatLimit(inOrder),
    formatSpeedUp(duration),
  ]
}

/** A batch that was not measured because it would take too long has no time. */
const formatTime = (time: BatchTime | undefined) =>
  time === undefined ? 'not measured' : formatMetric(time.duration, 'ms')

function formatLimit(time: BatchTime | undefined): string {
  if (time === undefined) return ''
  return `${brief(time.limitMs)} ms, ${Math.round(efficiencyOf(time.limitMs, time.duration.median) * 100)} %`
}

function formatSpeedUp({ parallel, inOrder }: BatchDuration): string {
  if (inOrder === undefined || parallel.duration.median === 0) return ''
  return `${brief(inOrder.duration.median / parallel.duration.median)}×`
}

const formatMetric = ({ median, low, high }: Metric, unit: string) =>
  `${brief(median)} ${unit} (${brief(low)}–${brief(high)})`

function shareBar(part: number, whole: number): string {
  const share = whole === 0 ? 0 : Math.min(1, part / whole)
  return `${'█'.repeat(Math.round(share * 20)).padEnd(20, '·')} ${Math.round(share * 100)} %`
}
