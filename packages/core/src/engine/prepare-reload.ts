/**
 * The two phases of a reload: everything is read and compiled, then the snapshots are swapped, or the current one stays.
 */
import type { SourceSnapshot } from '../definition/definition-source.ts'
import { placeStages } from '../pipeline/place-stages.ts'
import { stageOrder } from '../pipeline/stage-order.ts'
import type { Millis } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { buildNextSnapshot } from './build-next-snapshot.ts'
import type { Services } from './create-services.ts'
import type { EngineOptions } from './engine-options.ts'
import type { PreparedReload } from './reload-group.ts'
import type { ReloadReport } from './reload-report.ts'
import { hashOfSnapshot } from './routing-snapshot.ts'
import { apiWithId, type CurrentSnapshot, releaseUnused, swapRoutingSnapshot } from './swap-routing-snapshot.ts'

interface Prepared extends PreparedReload {
  commit(): Promise<ReloadReport>
}

/** Prepares a reload. `recompiles`: settings have changed, so unchanged definitions are compiled again as well. */
type Prepare = (recompiles: boolean) => Promise<Prepared>

/** `onReport` receives the report of each reload when it has ended. */
export function makePrepare(
  options: EngineOptions,
  services: Services,
  current: CurrentSnapshot,
  onReport: (report: ReloadReport) => void,
): Prepare {
  const { clock, log, sessionCache, uptime } = services
  const { source, ports, scriptFiles, endpoints = [] } = options
  const order = placeStages(options.order ?? stageOrder, services.customStages.plugins)
  const { secret = () => undefined, readTemplate = () => undefined } = options
  const findApi = (apiId: string) => apiWithId(current, apiId)

  const end = (startedAt: Millis, files: SourceSnapshot, given: Omit<ReloadReport, 'startedAt' | 'durationMs'>) => {
    const report = { startedAt, durationMs: clock.now() - startedAt, ...given }
    if (options.logsReloads !== false) logReport(report, files.definitionsProblem, log)
    onReport(report)
    return report
  }

  return async (recompiles) => {
    const startedAt = clock.now()
    const files = await source.read()
    const built = await buildNextSnapshot({
      ...{ order, endpoints, secret, readTemplate, scriptFiles, findApi, ports, services, recompiles },
      source: files,
      running: current.snapshot,
    })
    const commit = async () => {
      if (built.next !== undefined) swapRoutingSnapshot(current, built.next, built, { ports, sessionCache, uptime })
      services.eventScripts?.renew()
      await services.loadingScripts?.settled(clock)
      return end(startedAt, files, built.report)
    }
    return {
      version: built.next === undefined ? '' : hashOfSnapshot(built.next),
      problem: built.report.dropped,
      commit,
      async drop(reason) {
        // Without a current snapshot there is nothing to keep.
        if (reason !== undefined && current.snapshot === undefined) {
          await commit()
          return
        }
        releaseUnused(current, built.next)
        if (reason !== undefined) end(startedAt, files, { ...built.report, changed: [], removed: [], dropped: reason })
      },
    }
  }
}

function logReport(report: ReloadReport, folderProblem: string | undefined, log: Log): void {
  if (folderProblem !== undefined) log.error('the definitions cannot be read', { reason: folderProblem })
  if (report.dropped !== undefined)
    log.error('the reload was dropped, the previous definitions stay in force', { reason: report.dropped })
  if (report.policies.problem !== undefined)
    log.error('the policies cannot be read', { reason: report.policies.problem })
  if (report.policies.changed) {
    for (const field of report.policies.warnings ?? []) log.warn('a field of a policy has no effect', { field })
    for (const field of report.policies.stored ?? []) log.info('a policy has a field without effect', { ...field })
  }
  for (const failure of report.failed) {
    log.error('a definition cannot be loaded', { ...failure })
  }
  for (const { closes, ...feature } of report.unsupported) {
    if (!report.changed.includes(feature.source)) continue
    if (closes) log.error('a definition requires a feature that cannot run, so requests are rejected', { ...feature })
    else if (feature.isHarmless) log.info('a definition has a field without effect', { ...feature })
    else log.warn('a definition requires a feature that has no effect', { ...feature })
  }
  for (const { apiId, from, to } of report.renamed) {
    log.warn(`Listen path collision, changed to ${to}`, { api: apiId, from })
  }
  log.info('definitions loaded', {
    apis: report.loaded,
    changed: report.changed.length,
    removed: report.removed.length,
    ms: report.durationMs,
  })
}
