/** A reload: reads the source, builds the next snapshot, swaps the snapshots and reports the result. */

import { placeStages } from '../pipeline/place-stages.ts'
import { stageOrder } from '../pipeline/stage-order.ts'
import type { Log } from '../ports/log.ts'
import { buildNextSnapshot } from './build-next-snapshot.ts'
import { coalesce } from './coalesce.ts'
import type { Services } from './create-services.ts'
import type { EngineOptions } from './engine-options.ts'
import type { ReloadReport } from './reload-report.ts'
import { apiWithId, type CurrentSnapshot, swapRoutingSnapshot } from './swap-routing-snapshot.ts'

export interface Reloader {
  /** Concurrent calls share reloads; each settles with a reload that began after the call. */
  reload(): Promise<ReloadReport>
  /** Reloads, and compiles every API again with the current settings. Circuit breakers and connection pools are new. */
  recompile(): Promise<ReloadReport>
  /** Report of the last reload; `undefined` before the first. */
  report(): ReloadReport | undefined
}

export function makeReloader(options: EngineOptions, services: Services, current: CurrentSnapshot): Reloader {
  const { clock, log, sessionCache, uptime } = services
  const { source, ports, scriptFiles, endpoints = [] } = options
  const order = placeStages(options.order ?? stageOrder, services.customStages.plugins)
  const { secret = () => undefined, readTemplate = () => undefined } = options
  const findApi = (apiId: string) => apiWithId(current, apiId)
  let lastReport: ReloadReport | undefined
  let recompiles = false

  const reload = coalesce(async (): Promise<ReloadReport> => {
    const startedAt = clock.now()
    const beginsRecompile = recompiles
    recompiles = false
    const files = await source.read()
    const built = await buildNextSnapshot({
      ...{ order, endpoints, secret, readTemplate, scriptFiles, findApi, ports, services },
      source: files,
      running: current.snapshot,
      recompiles: beginsRecompile,
    })
    if (built.next !== undefined) swapRoutingSnapshot(current, built.next, built, { ports, sessionCache, uptime })
    services.eventScripts?.renew()
    await services.loadingScripts?.settled(clock)
    lastReport = { startedAt, durationMs: clock.now() - startedAt, ...built.report }
    if (options.logsReloads !== false) logReport(lastReport, files.definitionsProblem, log)
    options.onReload?.(lastReport)
    return lastReport
  })
  return {
    reload,
    recompile() {
      recompiles = true
      return reload()
    },
    report: () => lastReport,
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
