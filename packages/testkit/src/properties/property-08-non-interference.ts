/**
 * Property 8. `counterOf` returns the counter of a key. Keys with one policy, API, path, organisation or
 * `rate_limit_pattern` may share a counter, and are then treated as one key.
 */
import { rateCases } from '../arbitraries/rate-cases.ts'
import { makeRateProperty } from './rate-property.ts'
import { type RateSubject, takeAll } from './subjects/rate-subject.ts'

/** A subject whose keys may share counters. */
export interface SharingSubject extends RateSubject {
  /** Returns the name of the counter of a key. Default: each key has its own. */
  counterOf?(key: string): string
}

export const nonInterferenceProperty = makeRateProperty<SharingSubject>({
  number: 8,
  name: 'non-interference',
  statement:
    'The decisions for a key do not change if all requests of keys with other counters are removed from the trace.',
  cases: rateCases({ keys: 4 }),
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
        return `the result of request ${index} is ${JSON.stringify(b)}, but without other keys it is ${JSON.stringify(a)}`
      }
    }
    return undefined
  },
})
