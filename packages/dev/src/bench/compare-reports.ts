/**
 * Two reports beside each other. A figure is worse only beyond the noise that both runs measured, and beyond what a
 * faster or slower machine explains: figures are put in relation to the yardstick of their run.
 */
import { type BenchReport, metricsOf } from './bench-report.ts'
import { type Metric, noiseOf } from './metric.ts'

export interface Comparison {
  /** This machine by the earlier one: 1.2 is a fifth slower. 1 where the difference is within noise. */
  readonly pace: number
  readonly changes: readonly Change[]
  /** Figures that only one of the reports has. */
  readonly gone: readonly string[]
  readonly added: readonly string[]
}

export interface Change {
  readonly name: string
  readonly unit: 'µs' | 'ms'
  /** As it would be at today's pace. */
  readonly before: number
  readonly now: number
  /** How far the ratio may be off by chance. */
  readonly noise: number
  readonly verdict: 'slower' | 'faster' | 'same'
}

/** Less than this nobody notices, and no clock tells for sure. */
const least = { µs: 0.1, ms: 0.5 } as const
const leastShare = 0.1
/** Quartiles lie within two thirds of a deviation: three of their distances leave little to chance. */
const noiseFactor = 3

export function compareReports(before: BenchReport, now: BenchReport): Comparison {
  const pace = paceOf(before.yardstick, now.yardstick)
  const old = metricsOf(before)
  const current = metricsOf(now)
  const changes: Change[] = []
  for (const [name, { metric, unit }] of current) {
    const earlier = old.get(name)?.metric
    if (earlier === undefined) continue
    // What waits for the upstream's timer does not go by the machine's pace.
    const expected = earlier.median * (unit === 'µs' ? pace : Math.max(1, pace))
    const noise = Math.max(leastShare, noiseFactor * together(noiseOf(metric), noiseOf(earlier)))
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
