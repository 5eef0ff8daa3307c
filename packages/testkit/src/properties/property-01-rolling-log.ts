/**
 * Property 1. The trait `counted` says which requests count: the compatible algorithm counts every request, the textbook
 * algorithm counts admitted requests only. Requests at one instant count in their order.
 * Source: docs/reference/rate-limits.md#rolling-window-limiter.
 */
import { makeRateProperty } from './rate-property.ts'
import { takeAll } from './subjects/rate-subject.ts'
import { TrailingCount } from './trailing-count.ts'

export const rollingLogProperty = makeRateProperty({
  number: 1,
  name: 'rolling log',
  statement:
    'No window (t − W, t] admits more than L requests, and a request is rejected if and only if the window that ends with it contains L counted requests.',
  async check({ traits, make }, { limit, requests }) {
    const max = traits.most(limit.rate)
    const counted = new TrailingCount(traits.windowMs(limit.per))
    const taken = await takeAll(make(limit), requests)
    for (const [index, { at }] of requests.entries()) {
      const before = counted.at(at)
      const allowed = taken[index]?.allowed === true
      if (allowed && before >= max) return `request ${index} is admitted, with ${before} of ${max} counted before it`
      if (!allowed && before < max) return `request ${index} is rejected, with ${before} of ${max} counted before it`
      if (allowed || traits.counted === 'all') counted.add(at)
    }
    return undefined
  },
})
