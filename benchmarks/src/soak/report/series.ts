/** What a soak sampled and did, and whether a measured value grew after the warm-up. */
import { type Row, rowOf } from '../../report/table.ts'

export interface Sample {
  /** Seconds since the start, virtual or real. */
  readonly at: number
  /** Values by name of the series. */
  readonly values: Readonly<Record<string, number>>
}

export interface SoakEvent {
  readonly at: number
  readonly text: string
}

/** A value that must not grow. */
export interface GrowthBudget {
  readonly name: string
  readonly unit: string
  /** The largest allowed difference between the end and the warm-up. */
  readonly most: number
}

export interface SoakRecord {
  readonly title: string
  /** Such as `10 h of virtual time`. */
  readonly duration: string
  readonly samples: readonly Sample[]
  readonly events: readonly SoakEvent[]
  readonly rows: readonly Row[]
}

/**
 * Compares the medians of the first and of the last third of the samples after the warm-up. `warmUp`: seconds that do
 * not count.
 */
export function growthRows(samples: readonly Sample[], warmUp: number, budgets: readonly GrowthBudget[]): Row[] {
  return budgets.map(({ name, unit, most }) => {
    const values = samples.flatMap(({ at, values: { [name]: value } }) =>
      at >= warmUp && value !== undefined ? [value] : [],
    )
    const third = Math.max(1, Math.floor(values.length / 3))
    const [early, late] = [medianOf(values.slice(0, third)), medianOf(values.slice(-third))]
    const grown = Math.max(0, late - early)
    const row = rowOf(`growth of ${name}`, grown, unit, most, `${round(early)} to ${round(late)}${unit}`)
    // A single value shows no growth.
    return values.length < 2 || Number.isNaN(grown) ? { ...row, measured: 'not measured', verdict: 'missed' } : row
  })
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const round = (value: number) => Number(value.toFixed(2))
