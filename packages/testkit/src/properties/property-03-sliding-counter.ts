/** Property 3. Admitted requests are counted. The error bound is exact, because all counts are integers. */
import type { Millis } from '@turnpike/core/lib'
import { makeRateProperty } from './rate-property.ts'
import type { SlidingSubject } from './subjects/textbook-rates.ts'
import { TrailingCount } from './trailing-count.ts'

export const slidingCounterProperty = makeRateProperty<SlidingSubject>({
  number: 3,
  name: 'sliding counter',
  statement:
    'If f is the elapsed share of the window, the estimate is current + previous × (1 − f); it differs from the exact trailing count by at most previous × max(f, 1 − f); a request is admitted if and only if the estimate plus 1 is at most the limit.',
  async check({ make }, { limit, requests }) {
    const windowMs: Millis = Math.floor(limit.per) * 1000
    const most = Math.max(1, Math.floor(limit.rate))
    const underTest = make({ most, windowMs })
    const admitted = new TrailingCount(windowMs)
    const tolerance = 1e-9 * most
    for (const [index, { key, at }] of requests.entries()) {
      const { estimate, previous, current, elapsedMs } = await underTest.estimate(key, at)
      const share = elapsedMs / windowMs
      if (elapsedMs !== at % windowMs)
        return `before request ${index}, ${elapsedMs} ms of the window are reported as elapsed`
      if (Math.abs(estimate - (current + previous * (1 - share))) > tolerance) {
        return `before request ${index} the estimate is ${estimate}, with ${current} current and ${previous} previous requests at share ${share}`
      }
      const error = Math.abs(estimate - admitted.at(at))
      if (error > previous * Math.max(share, 1 - share) + tolerance) {
        return `before request ${index} the estimate is ${estimate}, but ${admitted.at(at)} were admitted`
      }
      const { allowed } = await underTest.take(key, at, 1)
      if (allowed !== estimate + 1 <= most + tolerance) {
        return `request ${index} is ${allowed ? 'admitted' : 'rejected'} at an estimate of ${estimate} with limit ${most}`
      }
      if (allowed) admitted.add(at)
    }
    return undefined
  },
})
