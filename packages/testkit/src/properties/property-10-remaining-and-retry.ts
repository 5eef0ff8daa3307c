/**
 * Property 10. The compatible sentinel always reports a remaining of 0, and the rolling window with the sentinel
 * option reports one more than it admits; traits describe both. Times are in milliseconds here, so the early
 * retry is one millisecond early. A header in seconds is rounded up from this
 * time; `judgeGateway` of @turnpike/judge checks the headers of responses.
 */
import type { RateResult } from '@turnpike/core/ports'
import { makeRateProperty } from './rate-property.ts'
import { type RateTraits, type RateUnderTest, takeAll } from './subjects/rate-subject.ts'

export const remainingAndRetryProperty = makeRateProperty({
  number: 10,
  name: 'remaining and retry time',
  statement:
    'After a rejection, a single retry at the reported time is admitted and an earlier one rejected; remaining falls by the cost of each admitted request, never below 0, and is 0 before a rejection. Reading the limits changes nothing and predicts the next request.',
  async check({ traits, make }, { limit, requests }) {
    const underTest = make(limit)
    let rejectedAt = -1
    for (const [index, { key, at }] of requests.entries()) {
      const look = await underTest.take(key, at, 0)
      const taken = await underTest.take(key, at, 1)
      const wrong = traits.remaining === 'not-reported' ? undefined : compare(look, taken, traits)
      if (wrong !== undefined) return `at request ${index} ${wrong}: ${JSON.stringify([look, taken])}`
      if (!taken.allowed) rejectedAt = index
    }
    if (rejectedAt === -1 || traits.most(limit.rate) < 1) return undefined

    const upToRejection = requests.slice(0, rejectedAt + 1)
    const again = async (earlierMs: number): Promise<[RateResult | undefined, number]> => {
      const fresh: RateUnderTest = make(limit)
      const rejected = (await takeAll(fresh, upToRejection)).at(-1)
      const retryAt = Math.max(rejected?.resetAt ?? 0, upToRejection.at(-1)?.at ?? 0) - earlierMs
      return [await fresh.take(upToRejection.at(-1)?.key ?? '', retryAt, 1), retryAt]
    }
    const [onTime, at] = await again(0)
    if (onTime?.allowed !== true) return `after request ${rejectedAt} is rejected, a retry at ${at} is rejected too`
    const [early, earlyAt] = await again(1)
    if (early?.allowed === true && earlyAt >= (upToRejection.at(-1)?.at ?? 0)) {
      return `after request ${rejectedAt} is rejected, a retry at ${earlyAt} passes, before the reported time`
    }
    return undefined
  },
})

function compare(
  look: RateResult,
  taken: RateResult,
  { remaining, keepsBack }: Pick<RateTraits, 'remaining' | 'keepsBack'>,
): string | undefined {
  if (look.allowed !== taken.allowed) return 'the look and the request disagree'
  if (taken.remaining < 0 || look.remaining < 0) return 'remaining is below 0'
  if (remaining === 'always-0') return taken.remaining === 0 ? undefined : 'remaining is not 0'
  if (taken.allowed && taken.remaining !== look.remaining - 1) return 'remaining does not fall by the cost'
  if (taken.allowed !== look.remaining > keepsBack) return 'remaining does not predict what passes'
  return undefined
}
