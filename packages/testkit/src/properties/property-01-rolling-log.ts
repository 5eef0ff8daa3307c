/**
 * Property 1. What is counted is a parameter: the recorded algorithm counts every request, refused ones too; the log of
 * the textbooks admitted ones only. Requests of one instant count in their order.
 */
import { type RateCase, rateCases, showRateCase } from '../arbitraries/rate-cases.ts'
import { makeProperty } from './property.ts'
import { type RateSubject, takeAll } from './rate-subject.ts'
import { TrailingCount } from './trailing-count.ts'

export const rollingLogProperty = makeProperty<RateSubject, RateCase>({
  number: 1,
  name: 'rolling log',
  statement:
    'No window (t − W, t] admits more than L, and a request is refused if and only if L counted ones lie in the window that ends with it.',
  cases: rateCases(),
  requestsOf: ({ requests }) => requests.length,
  show: showRateCase,
  async check({ traits, make }, { limit, requests }) {
    const most = traits.most(limit.rate)
    const counted = new TrailingCount(traits.windowMs(limit.per))
    const taken = await takeAll(make(limit), requests)
    for (const [index, { at }] of requests.entries()) {
      const before = counted.at(at)
      const allowed = taken[index]?.allowed === true
      if (allowed && before >= most) return `request ${index} is admitted, with ${before} of ${most} counted before it`
      if (!allowed && before < most) return `request ${index} is refused, with ${before} of ${most} counted before it`
      if (allowed || traits.counted === 'all') counted.add(at)
    }
    return undefined
  },
})
