/**
 * With `CORS.options_passthrough` every OPTIONS request goes to the upstream, past all stages between: the upstream
 * speaks for itself across origins, also where `CORS.enable` is off. Only an inactive organisation is refused before.
 * Source: spec/apis-and-pipeline.md 3, 4.9.
 */
import { makeForward } from '../5-answer/forward.ts'
import type { MakeStage } from '../contract/stage.ts'

export const makeOptionsPassthrough: MakeStage = (compileContext) => {
  if (!compileContext.api.document.cors.optionsPassthrough) return null
  const forward = makeForward(compileContext)
  if (forward === null) return null
  return {
    name: 'options-passthrough',
    phase: '1-accept',
    run: (context) => (context.request.method === 'OPTIONS' ? forward.run(context) : undefined),
  }
}
