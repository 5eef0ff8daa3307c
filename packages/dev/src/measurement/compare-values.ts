/**
 * Compares the values of two results: a verdict for each, from the 95 % interval of its ratio. Values that depend on the
 * speed of the machine are compared in units of the calibration workload of their run, so that a faster or slower
 * machine makes no difference.
 */
import { medianOfSeries, type Series } from './bootstrap.ts'
import { type Judgement, judgeChange, notComparable, scaled } from './judge-change.ts'

/** A value of a result, with what a comparison needs. */
export interface ComparedValue {
  /** Identifies the value in another result. */
  readonly key: string
  readonly name: string
  /** For example `µs`. */
  readonly unit: string
  readonly series: Series
  /** Differences up to this one, in the unit of the value, are below the resolution of the measurement. */
  readonly resolution: number
  /** Changes up to this share never count for this value. */
  readonly minTolerance?: number
  /** What must be equal in both results, in words, such as `status 200`. */
  readonly conditions: Readonly<Record<string, string | number>>
}

export interface Comparison {
  /** Speed of this machine relative to the earlier one: 1.2 means that the same work takes 20 % longer. */
  readonly pace: number
  /** Differences between the machines that the calibration does not cover, such as another version of Node. */
  readonly machines: readonly string[]
  readonly changes: readonly Change[]
}

export interface Change extends Judgement {
  readonly name: string
  readonly unit: string
  /** The earlier value, scaled to the speed of this machine; absent if only the new result has the metric. */
  readonly before?: number
  /** Absent if only the earlier result has the metric. */
  readonly now?: number
}

export const defaultTolerance = 0.05

/** `tolerance`: changes up to this share do not count. */
export function compareValues(
  before: readonly ComparedValue[],
  now: readonly ComparedValue[],
  tolerance: number,
): Change[] {
  const old = new Map(before.map((value) => [value.key, value]))
  const changes = now.map((current): Change => {
    const { key, name, unit, series, resolution, minTolerance = 0 } = current
    const median = medianOfSeries({ rounds: series.rounds })
    const earlier = old.get(key)
    old.delete(key)
    if (earlier === undefined) return { name, unit, now: median, ...notComparable('only the new result has it') }
    const different = differenceOf(earlier, current)
    const judgement =
      different === undefined
        ? judgeChange(earlier.series, series, { tolerance: Math.max(tolerance, minTolerance), resolution })
        : notComparable(different)
    return { name, unit, before: scaled(earlier.series, series), now: median, ...judgement }
  })
  const gone = [...old.values()].map(({ name, unit, series }): Change => {
    const median = medianOfSeries({ rounds: series.rounds })
    return { name, unit, before: median, ...notComparable('only the earlier result has it') }
  })
  return [...changes, ...gone]
}

/** Says which condition differs. */
function differenceOf(before: ComparedValue, now: ComparedValue): string | undefined {
  const name = Object.keys(now.conditions).find(
    (condition) => before.conditions[condition] !== now.conditions[condition],
  )
  return name === undefined ? undefined : `${name}: ${before.conditions[name]} before, ${now.conditions[name]} now`
}

/** Why the comparison fails the command: something became slower, or nothing could be compared. */
export function failureOf({ changes }: Comparison): string | undefined {
  if (changes.every(({ verdict }) => verdict === 'not comparable')) {
    return 'nothing could be compared; the text says why for each metric'
  }
  const slower = changes.filter(({ verdict }) => verdict === 'slower').length
  return slower === 0 ? undefined : `${slower} of ${changes.length} metrics became slower`
}
