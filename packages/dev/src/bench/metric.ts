/** A measured value with its spread: on a busy machine one figure says little. */
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

/** Between two neighbours it is drawn straight; of nothing it is 0. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? 0
  const above = sorted[Math.ceil(at)] ?? below
  return below + (above - below) * (at - Math.floor(at))
}

/** Half the distance of the quartiles by the median: how far the value is sure. */
export function noiseOf({ median, low, high }: Metric): number {
  return median === 0 ? 0 : (high - low) / 2 / median
}
