/**
 * `cache_mode: "rfc9111"`: stores responses of the upstream, or sends a stored response instead. See
 * `5-respond/cache-read-rfc9111.ts`.
 */
import type { CachePlan } from '../../cache/cache-plan.ts'
import { cacheModeOf } from '../cache/cache-rules.ts'
import { invalidate, makeApiCache, settleResponse } from '../cache/store-rfc9111.ts'
import type { MakeResponseStage } from '../contract/stage.ts'

export const makeCacheWriteRfc9111: MakeResponseStage = (compileContext) => {
  if (cacheModeOf(compileContext) !== 'rfc9111') return null
  const cache = makeApiCache(compileContext)
  return {
    run(context, response) {
      const plan: CachePlan | undefined = context.cachePlan
      if (plan?.kind === 'rfc9111') return settleResponse(cache, context, plan, response)
      if (plan?.kind === 'rfc9111-unsafe' && response.status >= 200 && response.status < 400) {
        invalidate(cache, context, plan.name, response.headers)
      }
      return response
    },
  }
}
