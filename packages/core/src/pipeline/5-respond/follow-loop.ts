/**
 * Sends a request to the API of this gateway that a rewrite or the target URL names
 * (docs/reference/transforms.md#loops).
 */

import type { LoopTarget } from '../contract/loop-target.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { CompileContext, MakeStage } from '../contract/stage.ts'
import { parseLoopTarget } from '../shared/parse-loop-target.ts'
import { sendToLoop } from '../shared/send-to-loop.ts'

export const makeFollowLoop: MakeStage = (compileContext) => {
  const { version, services } = compileContext
  const { loops } = services
  const ofTargetUrl = loopOfTargetUrl(compileContext)
  if ((version.paths.urlRewrites.length === 0 && ofTargetUrl === undefined) || loops === undefined) return null
  return {
    run(context) {
      const target = context.loop ?? (ofTargetUrl === undefined ? undefined : joinRequestPath(ofTargetUrl, context))
      return target === undefined ? undefined : sendToLoop(context, target, loops)
    },
  }
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
