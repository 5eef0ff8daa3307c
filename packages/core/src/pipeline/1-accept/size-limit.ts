/**
 * Limits on `Content-Length`: of the version, then of the path. The body itself is not read; a request without the
 * header is rejected (docs/reference/request-pipeline.md#size-limits). The limit of the whole gateway (`maxBodyBytes`)
 * is checked in `engine/request-handler.ts` and the front ends, that of bodies which a stage reads in
 * `shared/request-body.ts`.
 */

import { headerOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import type { MakeStage } from '../contract/stage.ts'
import { compilePathRules, methodRules } from '../shared/match-path-rules.ts'

/** Methods whose requests usually have no body; the limits do not apply to them. */
const unmeasured: ReadonlySet<string> = new Set(['GET', 'DELETE', 'TRACE', 'OPTIONS', 'HEAD'])

export const makeSizeLimit: MakeStage = (compileContext) => {
  const ofVersion = compileContext.version.sizeLimit
  const { sizeLimits } = compileContext.version.paths
  const limitOf = ({ sizeLimit }: (typeof sizeLimits)[number]) => (sizeLimit > 0 ? sizeLimit : undefined)
  const ofPath = compilePathRules(sizeLimits, compileContext, limitOf)
  const ofRpcMethod = methodRules(sizeLimits, compileContext, limitOf)
  if (ofVersion <= 0 && ofPath === null) return null
  return {
    run(context) {
      if (unmeasured.has(context.request.method)) return undefined
      if (ofVersion > 0) {
        const rejection = rejectLength(context.request, ofVersion)
        if (rejection !== undefined) return rejection
      }
      // On MCP proxies the limit of the JSON-RPC method applies as well as that of the tool, resource or prompt.
      const rpcLimit = ofRpcMethod?.(context)
      const rejection = rpcLimit === undefined ? undefined : rejectLength(context.request, rpcLimit)
      if (rejection !== undefined) return rejection
      const limit = ofPath?.(context)
      return limit === undefined ? undefined : rejectLength(context.request, limit)
    },
  }
}

/** Rejects a body that is longer than the limit or has no `Content-Length`. */
export function rejectLength(request: GatewayRequest, limit: number): Rejection | undefined {
  const contentLength = headerOf(request.headers, 'content-length')
  if (contentLength === undefined || contentLength === '') return rejections.lengthRequired
  if (!/^\d{1,15}$/.test(contentLength)) return rejections.lengthInvalid
  return Number(contentLength) > limit ? rejections.requestTooLarge : undefined
}
