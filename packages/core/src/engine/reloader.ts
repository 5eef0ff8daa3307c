/** A reload: reads the source, builds the next snapshot, swaps the snapshots and reports the result. */

import { coalesce } from './coalesce.ts'
import type { Services } from './create-services.ts'
import type { EngineOptions } from './engine-options.ts'
import { makePrepare } from './prepare-reload.ts'
import type { ReloadReport } from './reload-report.ts'
import type { CurrentSnapshot } from './swap-routing-snapshot.ts'

export interface Reloader {
  /** Concurrent calls share reloads; each settles with a reload that began after the call. */
  reload(): Promise<ReloadReport>
  /** Reloads, and compiles every API again with the current settings. Circuit breakers and connection pools are new. */
  recompile(): Promise<ReloadReport>
  /** Report of the last reload; `undefined` before the first. */
  report(): ReloadReport | undefined
}

export function makeReloader(options: EngineOptions, services: Services, current: CurrentSnapshot): Reloader {
  const { group } = options
  let lastReport: ReloadReport | undefined
  let recompiles = false
  let failure: unknown

  const prepareNow = makePrepare(options, services, current, (report) => {
    lastReport = report
    options.onReload?.(report)
  })
  const prepare = async () => {
    const beginsRecompile = recompiles
    recompiles = false
    const prepared = await prepareNow(beginsRecompile)
    const drop = (reason: string | undefined) => {
      recompiles ||= beginsRecompile
      return prepared.drop(reason)
    }
    return { ...prepared, drop }
  }
  group?.join(async () => {
    try {
      return await prepare()
    } catch (cause) {
      failure = cause
      throw cause
    }
  })

  const reload = coalesce(async (): Promise<ReloadReport> => {
    if (group === undefined) return (await prepare()).commit()
    failure = undefined
    await group.reload()
    if (failure !== undefined || lastReport === undefined) throw failure ?? new Error('this worker could not reload')
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
