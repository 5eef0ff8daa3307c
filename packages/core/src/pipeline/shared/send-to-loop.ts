/**
 * Sends a request to another API of this gateway; `compile/make-loops.ts` finds it. The chain of that API has already
 * shaped and recorded the response, so this chain only adds its extra headers (docs/reference/transforms.md#loops).
 */

import { headerOf } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { rejections, reword } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { checkRequestLine } from '../../route/check-request-line.ts'
import type { LoopTarget } from '../contract/loop-target.ts'
import type { Loops } from '../contract/loops.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { Outcome } from '../contract/stage.ts'

/** Rejects a request that has looped too often. */
export function sendToLoop(context: RequestContext, target: LoopTarget, loops: Loops): Maybe<Outcome> {
  if (context.loopLevel >= target.limit) {
    const message = `Loop level too deep. Found more than ${target.limit} loops in single request`
    return reword(rejections.loopTooDeep, { message })
  }
  const rejection = checkRequestLine(target.method || context.outgoing.method, target.path)
  if (rejection !== undefined) return rejection
  // A reload may have removed the API since the rewrite, or the target URL names none.
  const made = loops.follow(context, target)
  return made === undefined ? rejections.loopTarget : when(made, (response) => handOn(context, response))
}

function handOn(context: RequestContext, response: GatewayResponse): GatewayResponse {
  const { extraHeaders } = context
  context.handledByLoop = true
  for (let i = 0; i < (extraHeaders?.length ?? 0); i += 2) {
    const name = extraHeaders?.[i] as string
    if (headerOf(response.headers, name) === undefined) response.headers.push(name, extraHeaders?.[i + 1] as string)
  }
  return response
}
