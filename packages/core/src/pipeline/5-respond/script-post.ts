/** Scripts that run before the upstream is called (docs/reference/scripts.md#script-order). */
import type { MakeStage } from '../contract/stage.ts'
import { makeStageScripts, rejecting } from '../scripts/stage-scripts.ts'

const place = { name: 'script-post', isShaped: true, hasSession: true, asClient: false } as const

export const makeScriptPost: MakeStage = (compileContext) => {
  const { scripts } = compileContext.api
  // A response script that cannot run must be found before the upstream is called.
  if (scripts !== undefined && scripts.response.length > 0 && scripts.problem !== undefined) {
    return rejecting(place.name, compileContext, scripts.problem)
  }
  return makeStageScripts(compileContext, 'post', place)
}
