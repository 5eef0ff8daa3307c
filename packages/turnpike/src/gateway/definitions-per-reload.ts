/** Returns the same list object until the next reload, so callers can rebuild an index when the identity changes. */
import type { ApiDefinition, Engine, ReloadReport } from '@turnpike/core'

export function definitionsPerReload(engine: Engine): () => readonly ApiDefinition[] {
  let report: ReloadReport | undefined
  let list: readonly ApiDefinition[] = []
  return () => {
    if (engine.report() !== report) {
      report = engine.report()
      list = engine.definitions()
    }
    return list
  }
}
