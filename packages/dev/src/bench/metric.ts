/** A measured value with its spread. */
export interface Metric {
  readonly median: number
  /** Quartiles of the rounds. */
  readonly low: number
  readonly high: number
}

export function metricOf(samples: readonly number[]): Metric {
  const sorted = samples.toSorted((a, b) => a - b)
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) }
}

/** Interpolates linearly between neighbours; returns 0 for an empty list. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? 0
  const above = sorted[Math.ceil(at)] ?? below
  return below + (above - below) * (at - Math.floor(at))
}

/** Half the interquartile range divided by the median: the relative uncertainty of the value. */
export function noiseOf({ median, low, high }: Metric): number {
  return median === 0 ? 0 : (high - low) / 2 / median
}
