/**
 * Keeps answers where the definition decides. It stands behind all that shapes an answer, and before what is told anew
 * each time (rate limits, origins): answers from the cache go on from here. Source: spec/apis-and-pipeline.md 5, 6.
 */

import { decideLifetime, isConditionalResponse, lifetimeMs } from '../../cache/configured-lifetime.ts'
import { entityTagOf } from '../../http/entity-tag.ts'
import { removeHeader } from '../../http/headers.ts'
import type { StoredResponse } from '../../ports/stored-response.ts'
import { cacheMarkerOf } from '../5-answer/cache-read.ts'
import { cacheModeOf, compileCacheRules, upstreamControlOf } from '../5-answer/cache-read-rules.ts'
import type { MakeResponseStage } from '../contract/stage.ts'
import { keepBody } from './capture-body.ts'
import { quietly } from './write-in-background.ts'

export const makeCacheWrite: MakeResponseStage = (compileContext) => {
  if (cacheModeOf(compileContext) !== 'configured' || compileCacheRules(compileContext) === null) return null
  const { services, api } = compileContext
  const control = upstreamControlOf(compileContext)
  const marker = cacheMarkerOf(compileContext)
  return {
    name: 'cache-write',
    phase: '6-shape-response',
    resumesCached: true,
    run(context, answer) {
      const plan = context.cachePlan
      // A refusal made on the way back (a body that could not be read) is no answer of the upstream.
      if (plan?.kind !== 'configured' || context.rejection !== undefined) return answer
      const { status } = answer
      const seconds = decideLifetime(status, answer.headers, plan.rule, control)
      if (seconds <= 0 || isConditionalResponse(status, context.request.headers)) return answer
      const headers = answer.headers.slice()
      removeHeader(headers, marker)
      removeHeader(headers, 'content-length')
      const { bodyLength } = answer
      return keepBody(answer, services, (body) => {
        const response: StoredResponse = {
          status,
          headers,
          body,
          bodyLength: body === undefined ? bodyLength : undefined,
          etag: status >= 200 && status < 300 ? entityTagOf(headers) : undefined,
        }
        const ttlMs = lifetimeMs(services.clock.now(), seconds)
        quietly(services, api.id, () => services.store.responses.put(api.id, plan.name, response, ttlMs, plan.mark))
      })
    },
  }
}
