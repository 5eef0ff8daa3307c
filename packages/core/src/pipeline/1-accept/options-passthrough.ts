/**
 * `CORS.options_passthrough`: sends every OPTIONS request to the upstream and skips all stages between, also if
 * `CORS.enable` is off. Only the organisation check runs before it (docs/reference/request-pipeline.md#cors).
 */
import { makeForward } from '../5-respond/forward.ts'
import type { MakeStage } from '../contract/stage.ts'

export const makeOptionsPassthrough: MakeStage = (compileContext) => {
  if (!compileContext.api.document.cors.optionsPassthrough) return null
  const forward = makeForward(compileContext)
  if (forward === null) return null
  return {
    run: (context) => (context.request.method === 'OPTIONS' ? forward.run(context) : undefined),
  }
}
