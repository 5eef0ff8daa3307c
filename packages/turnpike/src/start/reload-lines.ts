/** Formats a reload report as text. Unchanged APIs are not listed. */
import type { ReloadReport } from '@turnpike/core'

export function reloadLines(report: ReloadReport): string[] {
  const lines = [summary(report)]
  if (report.policies.problem !== undefined) lines.push(`  policies: ${report.policies.problem}`)
  for (const { source, reason, line, column, keptOld } of report.failed) {
    const place = line === undefined ? source : `${source}:${line}:${column ?? 1}`
    lines.push(`  ${place} ${reason}${keptOld ? ' (its last good version keeps serving)' : ' (not served)'}`)
  }
  for (const { apiId, field, reason, closes } of report.unsupported) {
    lines.push(
      `  API ${apiId}: ${field} ${closes ? 'cannot run, so requests are rejected' : 'has no effect'}: ${reason}`,
    )
  }
  for (const { apiId, from, to } of report.renamed) {
    lines.push(`  listen path ${from} is taken: API ${apiId} moved to ${to}`)
  }
  return lines
}

function summary(report: ReloadReport): string {
  if (report.dropped !== undefined) return `reload dropped, the previous snapshot stays active: ${report.dropped}`
  const parts = [`${count(report.loaded, 'API')} served`, `${count(report.policies.count, 'policy', 'policies')}`]
  if (report.changed.length > 0) parts.push(`changed: ${report.changed.join(', ')}`)
  if (report.removed.length > 0) parts.push(`removed: ${report.removed.join(', ')}`)
  return `reloaded in ${report.durationMs} ms: ${parts.join('; ')}`
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`
}
