/** The report of a reload for one viewer: files of other organisations are counted, not named. */
import type { ApiDefinition } from '@turnpike/core/definition'
import type { ReloadReport } from '@turnpike/core/engine'
import type { DashboardOptions } from '../dashboard-options.ts'
import type { Viewer } from '../sso/viewer.ts'

export function showReload(
  report: ReloadReport,
  viewer: Viewer,
  definitions: readonly ApiDefinition[],
  { organisations }: DashboardOptions,
): object {
  // With one organisation all of it is its own, also what could not be read and so belongs to nobody yet.
  const seesAll = organisations.length === 1
  const own = new Set(definitions.filter(({ orgId }) => viewer.sees(orgId)).map(({ source }) => source))
  const ownIds = new Set(definitions.filter(({ orgId }) => viewer.sees(orgId)).map(({ id }) => id))
  const mine = (source: string) => seesAll || own.has(source)
  const failed = report.failed.filter(({ source }) => mine(source))
  return {
    startedAt: report.startedAt,
    durationMs: report.durationMs,
    loaded: own.size,
    changed: report.changed.filter(mine),
    removed: report.removed.filter(mine),
    failed,
    renamed: report.renamed.filter(({ apiId }) => seesAll || ownIds.has(apiId)),
    policies: seesAll ? report.policies.count : undefined,
    policiesProblem: seesAll ? report.policies.problem : report.policies.problem && 'some policies cannot be read',
    dropped: seesAll ? report.dropped : report.dropped && 'the definitions cannot be read',
    failedElsewhere: report.failed.length - failed.length,
  }
}
