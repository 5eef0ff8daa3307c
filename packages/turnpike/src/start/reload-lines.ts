/** Formats a reload report as text. Unchanged APIs are not listed. */
import { join, relative } from 'node:path'
import type { ReloadReport } from '@turnpike/core/engine'
import { formatFinding } from '../config/finding.ts'
import type { Colours } from './colours.ts'
import { storedFieldLines } from './stored-field-lines.ts'
import type { ConfigReload } from './watch-config.ts'

/** The folders of the files that a report names. */
export interface ReloadPlaces {
  readonly cwd: string
  readonly definitions: string
  /** Folder of the policy files, or the folder of the one file with all policies. */
  readonly policies: string
}

/** Returns a formatter. It remembers when each file was last loaded well, so every report must pass through it. */
export function makeReloadLines(places: ReloadPlaces, colours: Colours): (report: ReloadReport) => string[] {
  const loadedAt = new Map<string, number>()
  let policiesAt: number | undefined
  const { bad, caution } = colours

  const failureLine = (
    { source, reason, line, column, keptOld }: ReloadReport['failed'][number],
    folder: string,
    at?: number,
  ) => {
    const file = shownFile(places.cwd, folder, source)
    const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`
    return bad(`  ${place} ${reason} (${keptOld ? keptText(at) : 'not served'})`)
  }

  return (report) => {
    for (const source of report.changed) loadedAt.set(source, report.startedAt)
    if (report.policies.changed && report.policies.problem === undefined) policiesAt = report.startedAt
    policiesAt ??= report.startedAt
    const { problem, problems = [] } = report.policies
    return [
      summary(report, colours),
      ...problems.map((failed) => failureLine(failed, places.policies, policiesAt)),
      ...(problem !== undefined && problems.length === 0 ? [bad(`  policies: ${problem}`)] : []),
      ...report.failed.map((failed) => failureLine(failed, places.definitions, loadedAt.get(failed.source))),
      ...(report.policies.warnings ?? []).map((warning) => caution(`  ${warning}`)),
      ...report.unsupported.flatMap((feature) => featureLine(feature, colours)),
      ...storedFieldLines(report),
      ...report.renamed.map(({ apiId, from, to }) =>
        caution(`  listen path ${from} is taken: API ${apiId} moved to ${to}`),
      ),
    ]
  }
}

/** Fields that no gateway acts on are in `storedFieldLines`. */
function featureLine(
  { apiId, field, reason, instead, closes, isHarmless }: ReloadReport['unsupported'][number],
  { bad, caution }: Colours,
): string[] {
  if (isHarmless) return []
  const effect = closes ? 'cannot run, so requests are rejected' : 'has no effect'
  const line = `  API ${apiId}: ${field} ${effect}: ${reason}${instead === undefined ? '' : `; ${instead}`}`
  return [closes ? bad(line) : caution(line)]
}

/** Returns the lines about a reload of the configuration file. */
export function configLines(
  { file, applied, needRestart, findings, rejected }: ConfigReload,
  colours: Colours,
): string[] {
  const { bad, caution, strong } = colours
  const shown = findings.map((finding) => (finding.severity === 'error' ? bad : caution)(`  ${formatFinding(finding)}`))
  if (rejected) {
    return [bad(`${file} cannot be used; the configuration of the last good version stays in service`), ...shown]
  }
  return [
    strong(applied.length > 0 ? `${file}: applied ${applied.join(', ')}` : `${file} was read again`),
    ...(needRestart.length > 0 ? [caution(`  restart the gateway to apply ${needRestart.join(', ')}`)] : []),
    ...shown,
  ]
}

/** A policy of a file with all policies has the source `FILE "ID"`. */
function shownFile(cwd: string, folder: string, source: string): string {
  const path = relative(cwd, join(folder, source))
  return path.startsWith('..') ? join(folder, source) : path
}

function keptText(loadedAt: number | undefined): string {
  const since = loadedAt === undefined ? '' : ` of ${new Date(loadedAt).toISOString().slice(11, 19)}`
  return `the last good version${since} stays in service`
}

function summary(report: ReloadReport, { bad, strong }: Colours): string {
  if (report.dropped !== undefined) {
    return bad(`reload dropped, the last good version of all APIs and policies stays in service: ${report.dropped}`)
  }
  const policies = count(report.policies.count, 'policy', 'policies')
  const parts = [`${count(report.loaded, 'API')} served`, policies]
  if (report.changed.length > 0) parts.push(`changed: ${report.changed.join(', ')}`)
  if (report.removed.length > 0) parts.push(`removed: ${report.removed.join(', ')}`)
  if (report.policies.changed) parts.push('policies changed')
  return strong(`reloaded in ${report.durationMs} ms: ${parts.join('; ')}`)
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`
}
