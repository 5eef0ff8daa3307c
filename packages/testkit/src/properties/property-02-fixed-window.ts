/**
 * Property 2. Where windows begin is a parameter: at multiples of their length since the epoch (the recorded fixed window),
 * or with the first request after the last window (the recorded in-memory bucket, which therefore reaches 2L − 1
 * only: the request that began the window has left when the next one begins).
 */
import { type RateCase, rateCases, showRateCase } from '../arbitraries/rate-cases.ts'
import { makeProperty } from './property.ts'
import { type RateSubject, takeAll } from './rate-subject.ts'
import { TrailingCount } from './trailing-count.ts'

export const fixedWindowProperty = makeProperty<RateSubject, RateCase>({
  number: 2,
  name: 'fixed window',
  statement: 'Each window admits at most L and refuses nothing before; every trailing W admits at most 2L.',
  cases: rateCases(),
  requestsOf: ({ requests }) => requests.length,
  show: showRateCase,
  async check({ traits, make }, { limit, requests }) {
    const most = traits.most(limit.rate)
    const windowMs = traits.windowMs(limit.per)
    const trailing = new TrailingCount(windowMs)
    const taken = await takeAll(make(limit), requests)
    let startedAt = Number.NEGATIVE_INFINITY
    let admitted = 0
    for (const [index, { at }] of requests.entries()) {
      if (at >= startedAt + windowMs) {
        startedAt = traits.windows === 'aligned' ? at - (at % windowMs) : at
        admitted = 0
      }
      if (taken[index]?.allowed !== true) {
        if (admitted < most) return `request ${index} is refused, with ${admitted} of ${most} admitted in its window`
        continue
      }
      admitted += 1
      trailing.add(at)
      if (admitted > most) return `request ${index} is number ${admitted} of ${most} in its window`
      if (trailing.at(at) > 2 * most) return `${trailing.at(at)} are admitted in the window that ends with ${index}`
    }
    return undefined
  },
})

/** The largest number that any trailing window admitted over all drawn traces, as a multiple of the limit. */
export async function worstTrailing(subject: RateSubject, rate: number, cases: readonly RateCase[]): Promise<number> {
  let worst = 0
  for (const { limit, requests } of cases) {
    const trailing = new TrailingCount(subject.traits.windowMs(limit.per))
    const taken = await takeAll(subject.make({ ...limit, rate }), requests)
    for (const [index, { at }] of requests.entries()) {
      if (taken[index]?.allowed !== true) continue
      trailing.add(at)
      worst = Math.max(worst, trailing.at(at))
    }
  }
  return worst
}
