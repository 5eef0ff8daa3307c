/**
 * The rate of the key, with throttling. Source: spec/sessions-and-limits.md 6 and 6.6.
 * A store that is far away is asked for the quota in the same go, where it can; the stage `quota` then has its answer.
 * Throttling waits on the clock port; nothing is held but the request itself, and a client that goes away while it
 * waits is given up.
 */
import { rejections } from '../../http/errors.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import { decodePercent } from '../../lib/text/percent.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RateTaken } from '../../ports/rate-limit.ts'
import type { CountedRate, Grant } from '../../session/grants/grant.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage, Outcome } from '../contract/stage.ts'

export const makeRateLimit: MakeStage = ({ api, tools }) => {
  if (api.authModes.length === 0 || api.document.disableRateLimit) return null
  const { counters } = tools.store
  const quotaCounts = !api.document.disableQuota

  const settle = (context: RequestContext, rate: CountedRate, grant: Grant, taken: RateTaken): Maybe<Outcome> => {
    context.rate = taken
    context.rateLimit = rate.limit
    context.trace?.note(`rate ${rate.name}: ${taken.remaining} of ${rate.limit.rate} in ${rate.limit.per} s left`)
    if (taken.allowed) return undefined
    if (grant.throttle === undefined || context.trace?.dry) return rejections.rateExceeded
    return throttle(context, rate, grant.throttle)
  }

  /** Waits, looks, and asks again once a look finds room. As recorded, only a look into memory counts nothing. */
  const throttle = async (
    context: RequestContext,
    rate: CountedRate,
    { retries, intervalMs }: { readonly retries: number; readonly intervalMs: number },
  ): Promise<Outcome> => {
    const lookCounts = rate.limit.algorithm === 'local' ? 0 : 1
    for (let tried = 0; tried < retries; tried++) {
      await wait(tools.clock, intervalMs)
      const look = await counters.take(rate.name, rate.limit, lookCounts)
      if (!look.allowed) continue
      const taken = await counters.take(rate.name, rate.limit, 1)
      context.rate = taken
      if (taken.allowed) return undefined
    }
    await wait(tools.clock, intervalMs)
    return rejections.rateExceeded
  }

  return {
    name: 'rate-limit',
    phase: '3-admit',
    run(context) {
      const { grant } = context
      if (grant === undefined || context.skipsLimits) return undefined
      const rate = grant.endpointRate?.(context.request.method, decodePercent(context.pathWithVersion)) ?? grant.rate
      if (rate === undefined) return undefined
      if (quotaCounts && grant.quota !== undefined && context.trace === undefined) {
        const both = counters.takeThenSpend?.(rate, grant.quota)
        if (both !== undefined) {
          return both.then(({ taken, spent }) => {
            context.quotaAhead = spent
            return settle(context, rate, grant, taken)
          })
        }
      }
      const places = rate === grant.rate ? grant.places : undefined
      const taken = counters.take(rate.name, rate.limit, context.trace?.dry ? 0 : 1, places, grant.ticket)
      return taken instanceof Promise
        ? when(taken, (result) => settle(context, rate, grant, result))
        : settle(context, rate, grant, taken)
    },
  }
}

const wait = (clock: Clock, ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve))
