/**
 * Property 8. Keys that share a counter are listed by `counterOf`: keys of one policy, API, path, organisation or
 * `rate_limit_pattern` name one counter, and are then one key in the sense of the property.
 */
import { type RateCase, rateCases, showRateCase } from '../arbitraries/rate-cases.ts'
import { makeProperty } from './property.ts'
import { type RateSubject, takeAll } from './rate-subject.ts'

/** A subject whose keys may share counters. */
export interface SharingSubject extends RateSubject {
  /** Name of the counter that a key uses. Default: each key its own. */
  counterOf?(key: string): string
}

export const nonInterferenceProperty = makeProperty<SharingSubject, RateCase>({
  number: 8,
  name: 'non-interference',
  statement:
    'What is decided for a key does not change when all requests of keys with other counters are taken out of the trace.',
  cases: rateCases({ keys: 4 }),
  requestsOf: ({ requests }) => requests.length,
  show: showRateCase,
  async check(subject, { limit, requests }) {
    const counterOf = (key: string) => subject.counterOf?.(key) ?? key
    const together = await takeAll(subject.make(limit), requests)
    for (const counter of new Set(requests.map(({ key }) => counterOf(key)))) {
      const own = requests.flatMap((request, index) => (counterOf(request.key) === counter ? [index] : []))
      const alone = await takeAll(
        subject.make(limit),
        requests.filter(({ key }) => counterOf(key) === counter),
      )
      for (const [place, index] of own.entries()) {
        const [a, b] = [alone[place], together[index]]
        if (a?.allowed === b?.allowed && a?.remaining === b?.remaining && a?.resetAt === b?.resetAt) continue
        return `request ${index} is answered ${JSON.stringify(b)}, and alone ${JSON.stringify(a)}`
      }
    }
    return undefined
  },
})
