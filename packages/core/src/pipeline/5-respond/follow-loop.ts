/**
 * Sends a request to the API of this gateway that a rewrite or the target URL names; `compile/make-loops.ts` finds it.
 * The chain of that API has already shaped and recorded the response, so this chain only adds its extra headers
 * (docs/reference/transforms.md#loops).
 */

import { headerOf } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import { rejections, reword } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { hidesSegments } from '../../route/hidden-segments.ts'
import type { LoopTarget } from '../contract/loop-target.ts'
import type { Loops } from '../contract/loops.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage, Outcome } from '../contract/stage.ts'
import { parseLoopTarget } from '../shared/parse-loop-target.ts'

export const makeFollowLoop: MakeStage = (compileContext) => {
  const { version, services } = compileContext
  const { loops } = services
  const ofTargetUrl = loopOfTargetUrl(compileContext)
  if ((version.paths.urlRewrites.length === 0 && ofTargetUrl === undefined) || loops === undefined) return null
  return {
    run(context) {
      const target = context.loop ?? (ofTargetUrl === undefined ? undefined : joinRequestPath(ofTargetUrl, context))
      return target === undefined ? undefined : followLoop(context, target, loops)
    },
  }
}

/** Sends the request to another API of this gateway, unless it has looped too often. */
export function followLoop(context: RequestContext, target: LoopTarget, loops: Loops): Maybe<Outcome> {
  if (context.loopLevel >= target.limit) {
    const message = `Loop level too deep. Found more than ${target.limit} loops in single request`
    return reword(rejections.loopTooDeep, { message })
  }
  if (hidesSegments(target.path)) return rejections.pathAmbiguous
  // A reload may have removed the API since the rewrite, or the target URL names none.
  const made = loops.follow(context, target)
  return made === undefined ? rejections.loopTarget : when(made, (response) => handOn(context, response))
}

/** The loop of the target URL of the version or the API; `undefined`: it names no API of this gateway. */
function loopOfTargetUrl({ api, version, services }: CompileContext): LoopTarget | undefined {
  const { targetUrl, enableLoadBalancing } = api.document.proxy
  const url = version.overrideTarget || (enableLoadBalancing ? '' : targetUrl)
  return parseLoopTarget(url, services.settings.vendor)
}

/** Joins the target URL with path and query of the request. A rewrite to another origin takes precedence. */
function joinRequestPath(target: LoopTarget, { outgoing }: RequestContext): LoopTarget | undefined {
  if (outgoing.target !== undefined) return undefined
  const path = target.path.endsWith('/') ? target.path.slice(0, -1) : target.path
  const query = [target.query, outgoing.query].filter((part) => part !== '').join('&')
  return { ...target, path: path + outgoing.path, query }
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
