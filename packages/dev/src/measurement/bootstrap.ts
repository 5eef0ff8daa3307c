/**
 * Confidence intervals for the ratio of two measured values, by the bootstrap: rounds are drawn again with replacement,
 * first processes and then rounds within them, because rounds of one process resemble each other. The draws have a fixed
 * seed, so that the same results always give the same interval.
 */

/** A value that was measured in several rounds of one or more processes. */
export interface Series {
  /** One list of rounds per process. */
  readonly rounds: readonly (readonly number[])[]
  /**
   * CPU time of the calibration workload in the rounds of the same processes. Absent if the value does not depend on the
   * speed of the machine, as the waiting time for an upstream.
   */
  readonly calibration?: readonly (readonly number[])[]
}

export interface RatioInterval {
  /** The median of the second series divided by that of the first, both in units of their calibration. */
  readonly ratio: number
  /** Limits of the 95 % interval. */
  readonly low: number
  readonly high: number
}

const resamples = 1000
const tail = 0.025

/** Returns `now` ÷ `before` with its interval. Both series need at least one round that is not empty, and a median over 0. */
export function ratioInterval(before: Series, now: Series, seed = 1): RatioInterval {
  const random = makeRandom(seed)
  const ratios = Array.from({ length: resamples }, () => drawnMedian(now, random) / drawnMedian(before, random))
  ratios.sort((a, b) => a - b)
  const last = resamples - 1
  return {
    ratio: medianOfSeries(now) / medianOfSeries(before),
    low: ratios[Math.round(last * tail)] ?? Number.NaN,
    high: ratios[Math.round(last * (1 - tail))] ?? Number.NaN,
  }
}

/** The median of all rounds, each divided by the median calibration of its process. */
export function medianOfSeries({ rounds, calibration }: Series): number {
  return median(rounds.flatMap((values, process) => divide(values, calibration?.[process])))
}

function drawnMedian({ rounds, calibration }: Series, random: () => number): number {
  const drawn = rounds.flatMap(() => {
    const process = Math.floor(random() * rounds.length)
    const reference = calibration?.[process]
    return divide(draw(rounds[process] ?? [], random), reference === undefined ? undefined : draw(reference, random))
  })
  return median(drawn)
}

function divide(values: readonly number[], calibration: readonly number[] | undefined): readonly number[] {
  if (calibration === undefined) return values
  const unit = median(calibration)
  return values.map((value) => value / unit)
}

function draw(values: readonly number[], random: () => number): number[] {
  return values.map(() => values[Math.floor(random() * values.length)] ?? 0)
}

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

/** The generator mulberry32: numbers from 0 up to 1. */
function makeRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}
