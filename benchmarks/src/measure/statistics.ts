/** Medians and spreads, because a single figure from a shared machine is not reliable. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
  /** In the order of the rounds. */
  readonly values: readonly number[]
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  const median = sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
  return { median, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN, values }
}

/** Returns the quantile of sorted values; `share` is between 0 and 1. */
export function quantileOf(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
