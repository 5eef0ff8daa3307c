/**
 * `CORS.options_passthrough`: sends every OPTIONS request to the upstream and skips all stages between, also if
 * `CORS.enable` is off. Only the organisation check runs before it (docs/reference/request-pipeline.md#cors).
 */
import type { MakeStage } from '../contract/stage.ts'
import { makeUpstreamCall } from '../upstream-call/call-upstream.ts'

export const makeOptionsPassthrough: MakeStage = (compileContext) => {
  if (!compileContext.api.document.cors.optionsPassthrough) return null
  const callUpstream = makeUpstreamCall(compileContext)
  return {
    run: (context) => (context.request.method === 'OPTIONS' ? callUpstream(context) : undefined),
  }
}
