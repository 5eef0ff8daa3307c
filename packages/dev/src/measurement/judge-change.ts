/** Decides whether a measured value became slower, from the rounds of both results. */
import { medianOfSeries, type RatioInterval, ratioInterval, type Series } from './bootstrap.ts'

export type Verdict = 'slower' | 'faster' | 'same' | 'not comparable'

export interface Judgement {
  readonly verdict: Verdict
  /** Why the values cannot be compared; empty for other verdicts. */
  readonly reason: string
  /** Absent if the values cannot be compared, differ by less than the resolution, or one of them is 0. */
  readonly interval?: RatioInterval
}

export interface JudgeOptions {
  /** Changes up to this share do not count, for example 0.05. */
  readonly tolerance: number
  /** Smallest difference that the measurement can resolve, in the unit of the values. */
  readonly resolution: number
}

/** An interval from three rounds is already rough; from fewer it means nothing. */
const minRounds = 3
/** If the upper limit of the interval is more than this many times the lower one, "the same" would be a guess. */
const maxWidth = 1.5

/** `before` and `now` are series of the same value with the same unit; smaller is better. */
export function judgeChange(before: Series, now: Series, { tolerance, resolution }: JudgeOptions): Judgement {
  const few = [before, now].map(({ rounds }) => rounds.flat().length).findIndex((count) => count < minRounds)
  if (few >= 0) {
    return notComparable(`the ${few === 0 ? 'earlier' : 'new'} result has fewer than ${minRounds} rounds of it`)
  }
  const [scaledBefore, scaledNow] = [scaled(before, now), medianOfSeries({ rounds: now.rounds })]
  if (Math.abs(scaledNow - scaledBefore) <= resolution) return { verdict: 'same', reason: '' }
  // There is no ratio to 0, but the difference is above the resolution.
  if (scaledBefore <= 0 || scaledNow <= 0)
    return { verdict: scaledNow > scaledBefore ? 'slower' : 'faster', reason: '' }
  const interval = ratioInterval(before, now)
  const { low, high } = interval
  if (low > 1 + tolerance) return { verdict: 'slower', reason: '', interval }
  if (high < 1 - tolerance) return { verdict: 'faster', reason: '', interval }
  if (high > low * maxWidth) {
    const reason = `the rounds differ too much for a verdict (${low.toFixed(2)}–${high.toFixed(2)}×): use more rounds or an idle machine`
    return { verdict: 'not comparable', reason, interval }
  }
  return { verdict: 'same', reason: '', interval }
}

/** The earlier median at the speed of the machine of `now`, in the unit of the rounds. */
export function scaled(before: Series, now: Series): number {
  if (before.calibration === undefined || now.calibration === undefined) {
    return medianOfSeries({ rounds: before.rounds })
  }
  return medianOfSeries(before) * medianOfSeries({ rounds: now.calibration })
}

export const notComparable = (reason: string): Judgement => ({ verdict: 'not comparable', reason })
