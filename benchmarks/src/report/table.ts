/** Rows of a benchmark: what was measured, its budget, and whether it was kept. */
export interface Row {
  readonly name: string
  /** With its unit. */
  readonly measured: string
  /** Against what, or how it spread. */
  readonly note: string
  /** With its unit; empty: only shown. */
  readonly budget: string
  readonly verdict: 'kept' | 'missed' | ''
}

/** A row whose measured value may not pass its budget. */
export function rowOf(name: string, value: number, unit: string, budget: number | undefined, note: string): Row {
  const digits = value < 10 ? 2 : 1
  return {
    name,
    measured: `${value.toFixed(digits)}${unit}`,
    note,
    budget: budget === undefined ? '' : `≤ ${budget}${unit}`,
    verdict: budget === undefined ? '' : value <= budget ? 'kept' : 'missed',
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

/** Rows with a budget first, the missed ones at their end, where they are seen; then what is only shown. */
export function byVerdict(rows: readonly Row[]): Row[] {
  return (['kept', 'missed', ''] as const).flatMap((verdict) => rows.filter((row) => row.verdict === verdict))
}

/** A budget that nothing was measured for counts as missed. */
export function unmeasured(name: string, budget: string, note: string): Row {
  return { name, measured: 'not measured', note, budget, verdict: 'missed' }
}
