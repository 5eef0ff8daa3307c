/**
 * Property 6. How many requests a client may send in any window and never be refused, and how many quiet windows clear a
 * counter, are parameters: the recorded sentinel shuts out whoever meets its limit, so one below it is sure to pass;
 * the sliding counter may take old requests for newer ones (see `rate-subject.ts`).
 */
import { type RateCase, rateCases, showRateCase } from '../arbitraries/rate-cases.ts'
import type { RateRequest } from '../arbitraries/traces.ts'
import { makeProperty } from './property.ts'
import { type RateSubject, takeAll } from './rate-subject.ts'
import { TrailingCount } from './trailing-count.ts'

export const noStarvationProperty = makeProperty<RateSubject, RateCase>({
  number: 6,
  name: 'no starvation',
  statement:
    'A client that never exceeds the limit is never refused; after a window without requests the next one is admitted, whatever came before.',
  cases: rateCases(),
  requestsOf: ({ requests }) => requests.length,
  show: showRateCase,
  async check({ traits, make }, { limit, requests }) {
    const windowMs = traits.windowMs(limit.per)
    const within = keepWithin(requests, traits.neverRefused(limit.rate), windowMs)
    const answers = await takeAll(make(limit), within)
    const refused = answers.findIndex(({ allowed }) => !allowed)
    if (refused !== -1) {
      const asked = within[refused]
      return `of a client that keeps within the limit, the request at ${(asked?.at ?? 0) - (requests[0]?.at ?? 0)} ms is refused`
    }
    const last = requests.at(-1)
    if (last === undefined || traits.most(limit.rate) < 1) return undefined
    const underTest = make(limit)
    await takeAll(underTest, requests)
    const quietMs = traits.quietWindows * windowMs
    const after = await underTest.take(last.key, last.at + quietMs, 1)
    return after.allowed ? undefined : `after the trace and ${quietMs} ms without requests, one more is refused`
  },
})

/** Those requests of a trace that never are more than `most` in any trailing window. */
function keepWithin(requests: readonly RateRequest[], most: number, windowMs: number): RateRequest[] {
  const sent = new TrailingCount(windowMs)
  return requests.filter(({ at }) => {
    if (sent.at(at) >= most) return false
    sent.add(at)
    return true
  })
}
