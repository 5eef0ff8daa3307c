/** Compares two reports of `turnpike bench`. */
import { type ComparedValue, type Comparison, compareValues, defaultTolerance } from '../measurement/compare-values.ts'
import { machineDifferences } from '../measurement/machine-facts.ts'
import { type BenchReport, metricsOf } from './bench-report.ts'

const resolution = { µs: 0.1, ms: 0.5 } as const

/** `tolerance`: changes up to this share do not count. */
export function compareReports(before: BenchReport, now: BenchReport, tolerance = defaultTolerance): Comparison {
  return {
    pace: now.calibration.median / before.calibration.median,
    machines: machineDifferences(before.machine, now.machine),
    changes: compareValues(valuesOf(before), valuesOf(now), tolerance),
  }
}

function valuesOf(report: BenchReport): ComparedValue[] {
  const calibration = report.calibration.rounds
  return metricsOf(report).map(({ metric: { rounds }, calibrated, ...value }) => {
    return { ...value, series: calibrated ? { rounds, calibration } : { rounds }, resolution: resolution[value.unit] }
  })
}
