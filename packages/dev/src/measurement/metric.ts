/** A measured value with its spread. */
export interface Metric {
  readonly median: number
  /** Quartiles of the rounds. */
  readonly low: number
  readonly high: number
  /** The values of the rounds, one list per process. */
  readonly rounds: readonly (readonly number[])[]
}

export function metricOf(samples: readonly number[]): Metric {
  const sorted = samples.toSorted((a, b) => a - b)
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75), rounds: [samples] }
}

/** Interpolates linearly between neighbours; returns 0 for an empty list. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? 0
  const above = sorted[Math.ceil(at)] ?? below
  return below + (above - below) * (at - Math.floor(at))
}

export function medianOf(values: readonly number[]): number {
  return metricOf(values).median
}

/** Shares of the requests of a round. */
const shares = { p50: 0.5, p90: 0.9, p99: 0.99, p999: 0.999, longest: 1 } as const
type PercentileName = keyof typeof shares

export const percentileNames = Object.keys(shares) as readonly PercentileName[]

/** Quantiles of the duration of single requests, each with the spread of its rounds. */
export type Percentiles = Readonly<Record<PercentileName, Metric>>

export interface PercentileRounds {
  /** Adds a round: the durations of its requests, in any order. */
  add(durations: readonly number[]): void
  read(): Percentiles
}

export function collectPercentiles(): PercentileRounds {
  const rounds = mapPercentiles((): number[] => [])
  return {
    add(durations) {
      const sorted = durations.toSorted((a, b) => a - b)
      for (const name of percentileNames) rounds[name].push(quantile(sorted, shares[name]))
    },
    read: () => mapPercentiles((name) => metricOf(rounds[name])),
  }
}

export function mapPercentiles<T>(make: (name: PercentileName) => T): Record<PercentileName, T> {
  return Object.fromEntries(percentileNames.map((name) => [name, make(name)])) as Record<PercentileName, T>
}
