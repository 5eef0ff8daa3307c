/** The report of a simulation as lines of text. */
import {
  nodeRows,
  type Outcomes,
  type ScenarioReport,
  type ScenarioStore,
  showPlan,
  summaryLines,
  timelineOf,
} from '@turnpike/cluster-sim'
import { columns } from 'turnpike/embedding'
import { closestToLimits } from './closest-to-limits.ts'

/** `again` is the command line that repeats the run. */
export function simLines(report: ScenarioReport, store: ScenarioStore, again: string): string[] {
  const { plan, history, seed, runs } = report
  if (report.holds) {
    return [
      `holds: ${runs} runs, ${report.requests} requests (${report.checks.join(', ')})`,
      '',
      `the first run, seed ${seed}:`,
      ...columns(nodeTable(report)),
      ...limitLines(report),
      '',
      ...timelineLines(report),
    ]
  }
  const { violation } = report
  return [
    `broken in run ${runs} (${violation.check}): ${violation.message}`,
    '',
    'the shortest schedule that breaks it:',
    `${showPlan(plan).split('\n')[0] ?? ''}${store === 'memory' ? '' : `, the store is ${store}`}`,
    timelineOf(history),
    '',
    ...columns(nodeTable(report)),
    '',
    `again: ${again}`,
  ]
}

/** Numbers of requests and messages of each node: rows of a table, the first with the heads of its columns. */
export function nodeTable({ plan, history }: Pick<ScenarioReport, 'plan' | 'history'>): string[][] {
  const head = ['node', 'requests', 'admitted', 'rejected', '503', 'other 5xx', 'no response', 'messages', 'lost']
  const rows = nodeRows(plan, history).map(
    ({ node, requests, admitted, rejected, unavailable, failed, silent, sent, lost }) =>
      [node, requests, admitted, rejected, unavailable, failed, silent, sent, lost].map(String),
  )
  return [head, ...rows]
}

function limitLines({ plan, history }: ScenarioReport): string[] {
  const limits = closestToLimits(plan, history)
  if (limits.length === 0) return ['', 'no key has a limit, so no check of limits was made']
  const rows = limits.map(({ words, most, count, seconds, bound }) => {
    const span = seconds > 0 ? `in ${seconds} s` : 'in all'
    const note = most < count ? ' (not reached)' : bound > count ? ` (${boundWords(bound)})` : ''
    return [`${most} of ${count} ${span}`, `${words}${note}`]
  })
  return ['', 'the most that was admitted, of the limit:', ...columns(rows)]
}

const boundWords = (bound: number) =>
  Number.isFinite(bound) ? `the limiter may admit ${bound}` : 'the limiter has no bound for requests at one moment'

function timelineLines({ history }: ScenarioReport): string[] {
  const rows = summaryLines(history).map((line) =>
    line.kind === 'event'
      ? [`${line.at} ms`, line.text]
      : [`${line.from}–${line.to} ms`, `  ${outcomeWords(line.outcomes)}`],
  )
  return ['faults and decisions:', ...columns(rows)]
}

/** `12 admitted, 3 rejected, 1 × 503`. */
export function outcomeWords({ admitted, rejected, unavailable, failed, silent }: Outcomes): string {
  const parts = [
    `${admitted} admitted`,
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(unavailable > 0 ? [`${unavailable} × 503`] : []),
    ...(failed > 0 ? [`${failed} × other 5xx`] : []),
    ...(silent > 0 ? [`${silent} without a response`] : []),
  ]
  return parts.join(', ')
}
