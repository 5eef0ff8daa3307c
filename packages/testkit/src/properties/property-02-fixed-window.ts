/**
 * Property 2. The trait `windows` says where windows begin: at multiples of their length since 1970 (the fixed window), or
 * with the first request after the previous window (the in-memory bucket). The bucket admits at max 2L − 1 requests in a
 * trailing window, because the request that began a window is outside of it when the next window begins.
 */
import type { RateCase } from '../arbitraries/rate-cases.ts'
import { makeRateProperty } from './rate-property.ts'
import { type RateSubject, takeAll } from './subjects/rate-subject.ts'
import { TrailingCount } from './trailing-count.ts'

export const fixedWindowProperty = makeRateProperty({
  number: 2,
  name: 'fixed window',
  statement:
    'Each window admits at max L requests and rejects none before it has admitted L; every trailing window admits at max 2L.',
  async check({ traits, make }, { limit, requests }) {
    const max = traits.most(limit.rate)
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
        if (admitted < max) return `request ${index} is rejected, with ${admitted} of ${max} admitted in its window`
        continue
      }
      admitted += 1
      trailing.add(at)
      if (admitted > max) return `request ${index} is number ${admitted} of ${max} in its window`
      if (trailing.at(at) > 2 * max) return `${trailing.at(at)} are admitted in the window that ends with ${index}`
    }
    return undefined
  },
})

/** Returns the largest number of requests that any trailing window admits in the given cases. */
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
