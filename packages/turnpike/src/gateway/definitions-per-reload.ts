/** One list of definitions a reload, so that those who make an index of it know when to make it anew. */
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
