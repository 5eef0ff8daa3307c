/** Rows of a benchmark: a measured value, its budget, and the verdict. */
import type { Spread } from '../measure/statistics.ts'

export interface Row {
  readonly name: string
  /** Value and unit. */
  readonly measured: string
  /** The reference, or the spread. */
  readonly note: string
  /** Limit and unit; empty without a budget. */
  readonly budget: string
  readonly verdict: 'kept' | 'missed' | ''
  /** The unit without a space; absent if the row was not measured. */
  readonly unit?: string
  /** The value in each round, for comparisons. Absent if the row is not a median, but a count or a maximum. */
  readonly rounds?: readonly number[]
  /** What the row is about, for pages that are generated from several rows. */
  readonly tags?: Readonly<Record<string, string | number>>
}

/**
 * Makes a row; the verdict is "kept" if the value is at most the budget. The value is the median of its rounds, or a
 * count or maximum.
 */
export function rowOf(
  name: string,
  measured: number | Pick<Spread, 'median' | 'values'>,
  unit: string,
  budget: number | undefined,
  note: string,
): Row {
  const value = typeof measured === 'number' ? measured : measured.median
  const digits = value < 10 ? 2 : 1
  return {
    name,
    measured: `${value.toFixed(digits)}${unit}`,
    note,
    budget: budget === undefined ? '' : `≤ ${budget}${unit}`,
    verdict: budget === undefined ? '' : value <= budget ? 'kept' : 'missed',
    unit: unit.trim(),
    ...(typeof measured === 'number' ? {} : { rounds: measured.values }),
  }
}

/** The rows as a Markdown table with aligned columns. */
export function printTable(rows: readonly Row[]): string {
  const head = ['what', 'measured', 'budget', 'verdict', 'note']
  const cells = rows.map((row) => [row.name, row.measured, row.budget, row.verdict, row.note])
  const widths = head.map((title, i) => Math.max(title.length, ...cells.map((line) => line[i]?.length ?? 0)))
  const line = (values: readonly string[]) =>
    `| ${values.map((value, i) => value.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...cells.map(line)].join('\n')
}

/** Sorts kept budgets first, then missed ones, then rows without a budget. */
export function byVerdict(rows: readonly Row[]): Row[] {
  return (['kept', 'missed', ''] as const).flatMap((verdict) => rows.filter((row) => row.verdict === verdict))
}

/** Makes a row for a budget that could not be measured; it counts as missed. */
export function unmeasured(name: string, budget: string, note: string): Row {
  return { name, measured: 'not measured', note, budget, verdict: 'missed' }
}
