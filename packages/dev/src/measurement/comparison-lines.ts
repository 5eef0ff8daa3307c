/** Formats a comparison of two results as text for a terminal. */
import { columns } from 'turnpike/embedding'
import type { Change, Comparison } from './compare-values.ts'

/** Orders the verdicts in the text: what became slower first. */
const verdictOrder = ['slower', 'faster', 'not comparable', 'same'] as const

/** One line for each metric, with its verdict and the 95 % interval of the ratio. `file` has the earlier result. */
export function comparisonLines({ pace, machines, changes }: Comparison, file: string): string[] {
  const numberOf = (verdict: Change['verdict']) => changes.filter((change) => change.verdict === verdict).length
  const head = [
    `against ${file}: ${numberOf('slower')} slower, ${numberOf('faster')} faster, ${numberOf('same')} the same, ${numberOf('not comparable')} not comparable`,
    `  calibration: this machine needs ${pace.toFixed(2)}× the time of the earlier run for the same work; earlier values are scaled by it`,
    ...machines.map((text) => `  another machine or program: ${text}`),
  ]
  const rows = verdictOrder.flatMap((wanted) =>
    changes
      .filter(({ verdict }) => verdict === wanted)
      .toSorted((a, b) => (b.interval?.ratio ?? 0) - (a.interval?.ratio ?? 0))
      .map((change) => [`  ${change.verdict}`, change.name, formatValues(change), formatInterval(change)]),
  )
  return [...head, ...columns(rows)]
}

export function formatValues({ before, now, unit }: Change): string {
  const text = (value: number | undefined) => (value === undefined ? '–' : brief(value))
  return `${text(before)} → ${text(now)} ${unit}`
}

/** The ratio with its interval, or why there is none. */
export function formatInterval({ verdict, interval, reason }: Change): string {
  if (reason !== '') return reason
  if (interval === undefined) return verdict === 'same' ? 'the difference is below the resolution' : 'no ratio to 0'
  return `${interval.ratio.toFixed(2)}× (${interval.low.toFixed(2)}–${interval.high.toFixed(2)})`
}

/** Rounds to three significant digits. */
export function brief(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
