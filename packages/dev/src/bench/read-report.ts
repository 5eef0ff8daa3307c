/** Reads a report that an earlier `turnpike bench --json` wrote. */
import { readFileSync } from 'node:fs'
import { parseJson } from '@turnpike/core/definition'
import type { Metric } from '../measurement/metric.ts'
import { type BenchReport, metricsOf } from './bench-report.ts'

export function readReport(file: string): { readonly report: BenchReport } | { readonly problem: string } {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (cause) {
    return { problem: cause instanceof Error ? cause.message : String(cause) }
  }
  const parsed = parseJson(content)
  if (parsed.problem !== undefined) return { problem: `line ${parsed.problem.line}: ${parsed.problem.message}` }
  if (!isBenchResult(parsed.value)) {
    return { problem: 'is not a result of turnpike bench: write one with turnpike bench --json FILE' }
  }
  const report = parsed.value as Partial<BenchReport>
  if (report.calibration === undefined) {
    return { problem: 'was written by an older version, without the rounds that a comparison needs: measure it again' }
  }
  return isWhole(report)
    ? { report }
    : { problem: 'is a result of turnpike bench with metrics missing: measure it again' }
}

/** Checks whether a parsed file is a result of this command, of any version. */
export function isBenchResult(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'turnpike-bench'
}

/** Checks that every metric that a comparison uses is present. */
function isWhole(report: Partial<BenchReport>): report is BenchReport {
  const { calibration, machine, ways, batches, reloads } = report
  if (calibration === undefined || typeof machine?.cpu !== 'string' || ![ways, batches, reloads].every(Array.isArray)) {
    return false
  }
  try {
    return [calibration, ...metricsOf(report as BenchReport).map(({ metric }) => metric)].every(isMetric)
  } catch {
    return false
  }
}

function isMetric({ median, low, high, rounds }: Metric): boolean {
  return [median, low, high, ...rounds.flat()].every(Number.isFinite)
}
