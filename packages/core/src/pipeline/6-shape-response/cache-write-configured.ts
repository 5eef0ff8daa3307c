/**
 * Stores responses where the definition decides. It runs after the stages that shape a response and before those whose
 * headers differ from request to request (CORS, rate limits). Cached responses continue after this stage
 * (docs/reference/response-cache.md#cached-responses).
 */

import { isResponseForOneClient } from '../../cache/client-specific-responses.ts'
import { decideLifetime, isConditionalResponse, lifetimeMs } from '../../cache/configured-lifetime.ts'
import { entityTagOf } from '../../http/entity-tag.ts'
import { removeHeader } from '../../http/headers.ts'
import type { StoredResponse } from '../../ports/stored-response.ts'
import { cacheMarkerOf, cacheModeOf, compileCacheRules, upstreamControlOf } from '../cache/cache-rules.ts'
import { keepBody, quietly } from '../cache/write-cache.ts'
import type { MakeResponseStage } from '../contract/stage.ts'

export const makeCacheWrite: MakeResponseStage = (compileContext) => {
  if (cacheModeOf(compileContext) !== 'configured' || compileCacheRules(compileContext) === null) return null
  const { services, api } = compileContext
  const control = upstreamControlOf(compileContext)
  const marker = cacheMarkerOf(compileContext)
  const { sharePrivate: sharesPrivate } = api.document.cacheOptions
  return {
    resumesCached: true,
    run(context, response) {
      const plan = context.cachePlan
      if (plan?.kind !== 'configured') return response
      const { status } = response
      const { miss } = plan
      const leave = () => {
        miss?.end(context.rejection !== undefined || status >= 500 ? 'failed' : 'unshared')
        return response
      }
      // An error from an earlier response stage (an unreadable body) is not a response of the upstream.
      if (context.rejection !== undefined) return leave()
      const seconds = decideLifetime(status, response.headers, plan.rule, control)
      if (seconds <= 0 || isConditionalResponse(status, context.request.headers)) return leave()
      if (context.key === undefined && !sharesPrivate && isResponseForOneClient(response.headers)) return leave()
      const name = plan.nameFor(response.headers)
      if (name === undefined) return leave()
      const headers = response.headers.slice()
      removeHeader(headers, marker)
      removeHeader(headers, 'content-length')
      const { bodyLength } = response
      const keep = (body: Uint8Array | undefined) => {
        const stored: StoredResponse = {
          status,
          headers,
          body,
          bodyLength: body === undefined ? bodyLength : undefined,
          etag: status >= 200 && status < 300 ? entityTagOf(headers) : undefined,
        }
        const ttlMs = lifetimeMs(services.clock.now(), seconds)
        quietly(services, api.id, () => services.store.responses.put(api.id, name, stored, ttlMs, plan.version), miss)
      }
      return keepBody(response, services, keep, leave)
    },
  }
}
