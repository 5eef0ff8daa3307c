/**
 * Property 7. It is stated for limiters that count admitted requests only. Of the recorded algorithms the rolling window
 * counts refused ones too and still keeps it, since its log does not depend on its decisions; the sentinel does not
 * (a higher limit meets its mark later and is then shut for longer), nor does the sliding counter. Whether a subject
 * claims it is its trait `monotone`; one that does not is passed over.
 */
import { type RateCase, rateCases, showRateCase } from '../arbitraries/rate-cases.ts'
import { makeProperty } from './property.ts'
import { type RateSubject, takeAll } from './rate-subject.ts'

export const monotonicityProperty = makeProperty<RateSubject, RateCase>({
  number: 7,
  name: 'monotonicity',
  statement: 'Of two limits on one trace, the smaller one never has admitted more, at no point of the trace.',
  cases: rateCases(),
  requestsOf: ({ requests }) => 2 * requests.length,
  show: showRateCase,
  async check({ traits, make }, { limit, requests }) {
    if (!traits.monotone) return undefined
    // How much larger the other limit is depends on the trace, so that steps of all sizes are met.
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
