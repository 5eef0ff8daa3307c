/**
 * Property 6. The traits `neverRejected` and `quietWindows` say how many requests per window are never rejected, and how
 * many windows without requests clear a counter. The sentinel blocks a client that reaches the limit, so that one request
 * less is always admitted. The sliding counter may count old requests as newer ones (see `textbook-rates.ts`). With the trait
 * `restartsAfterStepBack`, a clock that steps back by a day blocks for one window after the next request, not for a day.
 */
import type { RateRequest } from '../arbitraries/traces.ts'
import { makeRateProperty } from './rate-property.ts'
import { takeAll } from './subjects/rate-subject.ts'
import { TrailingCount } from './trailing-count.ts'

export const noStarvationProperty = makeRateProperty({
  number: 6,
  name: 'no starvation',
  statement:
    'A client that never exceeds the limit is never rejected, and after a window without requests the next request is always admitted.',
  async check({ traits, make }, { limit, requests }) {
    const windowMs = traits.windowMs(limit.per)
    const within = limitTrace(requests, traits.neverRejected(limit.rate), windowMs)
    const results = await takeAll(make(limit), within)
    const rejected = results.findIndex(({ allowed }) => !allowed)
    if (rejected !== -1) {
      const request = within[rejected]
      return `the client stays within the limit, but its request at ${(request?.at ?? 0) - (requests[0]?.at ?? 0)} ms is rejected`
    }
    const last = requests.at(-1)
    if (last === undefined || traits.most(limit.rate) < 1) return undefined
    const underTest = make(limit)
    await takeAll(underTest, requests)
    const quietMs = traits.quietWindows * windowMs
    const after = await underTest.take(last.key, last.at + quietMs, 1)
    if (!after.allowed) return `after the trace and ${quietMs} ms without requests, the next request is rejected`
    if (traits.restartsAfterStepBack !== true) return undefined
    const back = last.at - dayMs
    await underTest.take(last.key, back, 1)
    const recovered = await underTest.take(last.key, back + windowMs, 1)
    return recovered.allowed ? undefined : 'a window after the clock stepped back by a day, a request is rejected'
  },
})

const dayMs = 86_400_000

/** Removes requests so that no trailing window contains more than `max`. */
function limitTrace(requests: readonly RateRequest[], max: number, windowMs: number): RateRequest[] {
  const sent = new TrailingCount(windowMs)
  return requests.filter(({ at }) => {
    if (sent.at(at) >= max) return false
    sent.add(at)
    return true
  })
}
