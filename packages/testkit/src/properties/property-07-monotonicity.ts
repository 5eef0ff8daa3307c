/**
 * Property 7. It is checked only for subjects with the trait `monotone`. The rolling window counts rejected requests but
 * satisfies it, because its log does not depend on its decisions. The sentinel does not: with a higher limit it may block
 * the client later and therefore for longer. Neither does the sliding counter.
 */
import { makeRateProperty } from './rate-property.ts'
import { takeAll } from './subjects/rate-subject.ts'

export const monotonicityProperty = makeRateProperty({
  number: 7,
  name: 'monotonicity',
  statement: 'If two limits are applied to one trace, the smaller limit has at no point admitted more requests.',
  requestsOf: ({ requests }) => 2 * requests.length,
  async check({ traits, make }, { limit, requests }) {
    if (!traits.monotone) return undefined
    // The difference of the limits depends on the trace, so that differences of many sizes are tested.
    const larger = { ...limit, rate: limit.rate + 0.5 + ((requests.length * 7) % 11) / 2 }
    const under = await takeAll(make(limit), requests)
    const above = await takeAll(make(larger), requests)
    let ahead = 0
    for (const [index, { allowed }] of under.entries()) {
      ahead += Number(allowed) - Number(above[index]?.allowed === true)
      if (ahead > 0) return `up to request ${index}, a rate of ${limit.rate} admits more than one of ${larger.rate}`
    }
    return undefined
  },
})
