/** Scripts that run once the caller is identified (docs/reference/scripts.md#script-order). */
import type { MakeStage } from '../contract/stage.ts'
import { makeStageScripts } from '../scripts/stage-scripts.ts'

export const makeScriptPostKeyAuth: MakeStage = (compileContext) =>
  makeStageScripts(compileContext, 'postKeyAuth', {
    name: 'script-post-key-auth',
    isShaped: false,
    hasSession: true,
    asClient: true,
  })
