/**
 * Compares two reports: a verdict for each metric, from the 95 % interval of its ratio. Values that depend on the speed
 * of the machine are compared in units of the calibration workload of their run, so that a faster or slower machine makes
 * no difference.
 */
import { type Judgement, judgeChange, notComparable, scaled } from '../measurement/judge-change.ts'
import { machineDifferences } from '../measurement/machine-facts.ts'
import { type BenchReport, type ComparedMetric, metricsOf } from './bench-report.ts'
import type { Metric } from './metric.ts'

export interface Comparison {
  /** Speed of this machine relative to the earlier one: 1.2 means that the same work takes 20 % longer. */
  readonly pace: number
  /** Differences between the machines that the calibration does not cover, such as another version of Node. */
  readonly machines: readonly string[]
  readonly changes: readonly Change[]
}

export interface Change extends Judgement {
  readonly name: string
  readonly unit: 'µs' | 'ms'
  /** The earlier value, scaled to the speed of this machine; absent if only the new result has the metric. */
  readonly before?: number
  /** Absent if only the earlier result has the metric. */
  readonly now?: number
}

/** Smaller differences are below the resolution of the measurement. */
const resolution = { µs: 0.1, ms: 0.5 } as const
export const defaultTolerance = 0.05

/** `tolerance`: changes up to this share do not count. */
export function compareReports(before: BenchReport, now: BenchReport, tolerance = defaultTolerance): Comparison {
  const old = new Map(metricsOf(before).map((metric) => [metric.key, metric]))
  const changes = metricsOf(now).map((current): Change => {
    const { key, name, unit, metric } = current
    const earlier = old.get(key)
    old.delete(key)
    if (earlier === undefined) {
      return { name, unit, now: metric.median, ...notComparable('only the new result has it') }
    }
    const [a, b] = [seriesOf(earlier, before.calibration), seriesOf(current, now.calibration)]
    const different = differenceOf(earlier, current)
    const judgement =
      different === undefined
        ? judgeChange(a, b, { tolerance, resolution: resolution[unit] })
        : notComparable(different)
    return { name, unit, before: scaled(a, b), now: metric.median, ...judgement }
  })
  const gone = [...old.values()].map(({ name, unit, metric }): Change => {
    return { name, unit, before: metric.median, ...notComparable('only the earlier result has it') }
  })
  return {
    pace: now.calibration.median / before.calibration.median,
    machines: machineDifferences(before.machine, now.machine),
    changes: [...changes, ...gone],
  }
}

function seriesOf({ metric, calibrated }: ComparedMetric, calibration: Metric) {
  return calibrated ? { rounds: metric.rounds, calibration: calibration.rounds } : { rounds: metric.rounds }
}

/** Says which condition differs. */
function differenceOf(before: ComparedMetric, now: ComparedMetric): string | undefined {
  const name = Object.keys(now.conditions).find(
    (condition) => before.conditions[condition] !== now.conditions[condition],
  )
  return name === undefined ? undefined : `${name}: ${before.conditions[name]} before, ${now.conditions[name]} now`
}
