/** Scripts that run before the key is read (docs/reference/scripts.md#script-order). */
import type { MakeStage } from '../contract/stage.ts'
import { makeStageScripts, rejecting } from '../scripts/stage-scripts.ts'

const place = { name: 'script-pre', isShaped: false, hasSession: false, asClient: true } as const

export const makeScriptPre: MakeStage = (compileContext) => {
  // Nobody knows which scripts guard the API.
  const unloaded = compileContext.api.scripts?.unloadedBundle
  if (unloaded !== undefined) return rejecting(place.name, compileContext, unloaded)
  return makeStageScripts(compileContext, 'pre', place)
}
