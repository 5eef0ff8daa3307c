/**
 * Compares two reports. A metric counts as slower only if the difference exceeds the noise of both runs. Metrics are
 * scaled by the calibration workload of their run, so that a faster or slower machine makes no difference.
 */
import { type BenchReport, metricsOf } from './bench-report.ts'
import { type Metric, noiseOf } from './metric.ts'

export interface Comparison {
  /**
   * Speed of this machine relative to the earlier one: 1.2 means 20 % slower. 1 if the difference is within the
   * noise.
   */
  readonly pace: number
  readonly changes: readonly Change[]
  /** Metrics that only one of the reports contains. */
  readonly gone: readonly string[]
  readonly added: readonly string[]
}

export interface Change {
  readonly name: string
  readonly unit: 'µs' | 'ms'
  /** The earlier value, scaled to the speed of this machine. */
  readonly before: number
  readonly now: number
  /** The part of the ratio that noise can explain. */
  readonly noise: number
  readonly verdict: 'slower' | 'faster' | 'same'
}

/** Differences below this share are ignored: they are within the resolution of the measurement. */
const least = { µs: 0.1, ms: 0.5 } as const
const minShare = 0.1
/**
 * The quartiles of a normal distribution lie within two thirds of a standard deviation; three times that distance
 * covers most noise.
 */
const noiseFactor = 3

export function compareReports(before: BenchReport, now: BenchReport): Comparison {
  const pace = paceOf(before.yardstick, now.yardstick)
  const old = metricsOf(before)
  const current = metricsOf(now)
  const changes: Change[] = []
  for (const [name, { metric, unit }] of current) {
    const earlier = old.get(name)?.metric
    if (earlier === undefined) continue
    // Durations that wait for the upstream's timer do not depend on the speed of the machine.
    const expected = earlier.median * (unit === 'µs' ? pace : Math.max(1, pace))
    const noise = Math.max(minShare, noiseFactor * together(noiseOf(metric), noiseOf(earlier)))
    const difference = metric.median - expected
    const counts = Math.abs(difference) > Math.max(least[unit], expected * noise)
    const verdict = !counts ? 'same' : difference > 0 ? 'slower' : 'faster'
    changes.push({ name, unit, before: expected, now: metric.median, noise, verdict })
  }
  const missingIn = (there: ReadonlyMap<string, unknown>, all: ReadonlyMap<string, unknown>) =>
    [...all.keys()].filter((name) => !there.has(name))
  return { pace, changes, gone: missingIn(current, old), added: missingIn(old, current) }
}

function paceOf(before: Metric, now: Metric): number {
  const pace = before.median === 0 ? 1 : now.median / before.median
  return Math.abs(pace - 1) <= Math.max(0.05, together(noiseOf(before), noiseOf(now))) ? 1 : pace
}

const together = (a: number, b: number) => Math.sqrt(a * a + b * b)
