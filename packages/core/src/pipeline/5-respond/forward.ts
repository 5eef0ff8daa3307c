/** Sends the request to the upstream. The last stage before the response: no stage before it has responded. */
import type { MakeStage } from '../contract/stage.ts'
import { makeUpstreamCall } from '../upstream-call/call-upstream.ts'

export const makeForward: MakeStage = (compileContext) => ({ run: makeUpstreamCall(compileContext) })
