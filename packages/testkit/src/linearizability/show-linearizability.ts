/** Formats a report for a terminal: the contradicting operations as a timeline. */
import type { LinearizabilityReport } from './check-linearizable.ts'
import type { Operation } from './operation.ts'

const columns = 40
/** Operations in a timeline. Of more the last ones are shown. */
const maxShown = 30

/** Formats a report; times are in milliseconds since the first operation of the timeline. */
export function showLinearizability(report: LinearizabilityReport<unknown, unknown>): string {
  if (report.verdict === 'linearizable') return `linearizable: ${count(report.orders.size, 'key')}`
  if (report.verdict === 'undecided') {
    return `undecided: the search was longer than its bounds for ${report.keys.join(', ')}; raise maxConfigurations or maxMs, or record fewer concurrent operations per key`
  }
  const { key, operations, others } = report.violation
  const lines = [`not linearizable: no order of these operations on ${key} explains their results`]
  const hidden = operations.length - maxShown
  if (hidden > 0) lines.push(`  … ${count(hidden, 'earlier operation')}: ${summaryOf(operations.slice(0, hidden))}`)
  lines.push(...timelineOf(operations.slice(-maxShown)).map((line) => `  ${line}`))
  if (others.length > 0) {
    lines.push(`  This holds whether or not ${count(others.length, 'other operation')} took effect:`)
    lines.push(`  ${summaryOf(others)}`)
  }
  return lines.join('\n')
}

/** One line for each operation: its client, its time as a bar, its input and its output. */
function timelineOf(operations: readonly Operation<unknown, unknown>[]): string[] {
  const start = Math.min(...operations.map(({ startedAt }) => startedAt))
  const end = Math.max(...operations.map(({ startedAt, endedAt }) => endedAt ?? startedAt))
  const column = (at: number) => Math.round(((at - start) / Math.max(end - start, Number.MIN_VALUE)) * (columns - 1))
  const width = Math.max(...operations.map(({ client }) => client.length))
  return operations.map(({ client, startedAt, endedAt = end, input, output }) => {
    const [from, to] = [column(startedAt), column(endedAt)]
    const bar = from === to ? '|' : `|${'-'.repeat(to - from - 1)}|`
    const time = `${(startedAt - start).toFixed(1)}–${(endedAt - start).toFixed(1)} ms`
    return `${client.padEnd(width)}  ${' '.repeat(from)}${bar}${' '.repeat(columns - 1 - to)}  ${time.padEnd(18)}  ${show(input)} → ${show(output)}`
  })
}

/** `create v1 ×3, delete`: inputs with their numbers. */
function summaryOf(operations: readonly Operation<unknown, unknown>[]): string {
  const counts = new Map<string, number>()
  for (const { input } of operations) counts.set(show(input), (counts.get(show(input)) ?? 0) + 1)
  return [...counts].map(([text, times]) => (times === 1 ? text : `${text} ×${times}`)).join(', ')
}

/** `kind` first, then the other fields; names of true and false fields as words. */
function show(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const words = Object.entries(value).map(([name, field]) => {
    if (name === 'kind') return String(field)
    if (typeof field === 'boolean') return field ? name : `not ${name}`
    return `${name} ${typeof field === 'object' ? JSON.stringify(field) : String(field)}`
  })
  return words.join(', ')
}

const count = (number: number, word: string) => `${number} ${number === 1 ? word : `${word}s`}`
