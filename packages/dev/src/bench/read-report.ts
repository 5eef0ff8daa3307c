/** Reads a report that an earlier `turnpike bench --json` printed. */
import { readFileSync } from 'node:fs'
import { parseJson } from '@turnpike/core'
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
  const value = parsed.value as Partial<BenchReport> | null
  const lists = [value?.ways, value?.batches, value?.reloads]
  if (value?.kind !== 'turnpike-bench' || !lists.every(Array.isArray) || typeof value.yardstick?.median !== 'number') {
    return { problem: 'is no result of turnpike bench: write one with turnpike bench --json > FILE' }
  }
  return isWhole(value as BenchReport)
    ? { report: value as BenchReport }
    : { problem: 'is a result of turnpike bench with figures missing' }
}

/** Checks that every metric that a comparison uses is present. */
function isWhole(report: BenchReport): boolean {
  try {
    return [...metricsOf(report).values()].every(({ metric }) =>
      [metric.median, metric.low, metric.high].every(Number.isFinite),
    )
  } catch {
    return false
  }
}
