/** Mutants of the textbook limiters. */

import { makeGcra } from '../limiters/gcra.ts'
import type { FlowLimit } from '../limiters/limiter.ts'
import type { SlidingEstimate } from '../limiters/sliding-counter.ts'
import { makeTokenBucket } from '../limiters/token-bucket.ts'
import { slidingCounterProperty } from '../properties/property-03-sliding-counter.ts'
import { flowProperty } from '../properties/property-04-flow.ts'
import { equivalenceProperty } from '../properties/property-05-equivalence.ts'
import type { RateUnderTest } from '../properties/subjects/rate-subject.ts'
import { type FlowSubject, flows, type SlidingSubject, slidingCounter } from '../properties/subjects/textbook-rates.ts'
import { type Mutant, mutantsOf } from './mutant.ts'

/** A flow limiter of one key with a changed limit. */
function flowOf(name: string, change: (limit: FlowLimit) => FlowLimit): FlowSubject {
  return { name, make: (limit) => single(makeTokenBucket(change(limit))) }
}

function single(limiter: { take: (at: number, amount: number) => ReturnType<RateUnderTest['take']> }): RateUnderTest {
  return { take: (_key, at, amount) => limiter.take(at, amount) }
}

/** Forgets the level after a pause, so it may start above the maximum or be reset too early. */
function forgetsAfter(silenceMs: number): FlowSubject {
  return {
    name: 'forgetful token bucket',
    make(limit) {
      let bucket = makeTokenBucket(limit)
      let last = Number.NEGATIVE_INFINITY
      return {
        take(_key, at, amount) {
          if (at - last >= silenceMs) bucket = makeTokenBucket(limit)
          last = at
          return bucket.take(at, amount)
        },
      }
    },
  }
}

function patchSliding(change: (seen: SlidingEstimate) => number): SlidingSubject {
  return {
    name: 'patched sliding counter',
    make(limit) {
      const real = slidingCounter.make(limit)
      return {
        take: real.take,
        async estimate(key, at) {
          const seen = await real.estimate(key, at)
          return { ...seen, estimate: change(seen) }
        },
      }
    },
  }
}

const againstBucket = (member: FlowSubject) => ({ name: member.name, members: [flows[0] as FlowSubject, member] })

export const textbookMutants: readonly Mutant[] = [
  ...mutantsOf(slidingCounterProperty, {
    'sliding counter: the window before is not weighed': patchSliding(({ previous, current }) => previous + current),
    'sliding counter: the window before is forgotten': {
      ...slidingCounter,
      name: 'forgetful sliding counter',
      make(limit) {
        let real = slidingCounter.make(limit)
        let window = -1
        const renew = (at: number) => {
          if (Math.floor(at / limit.windowMs) === window) return
          window = Math.floor(at / limit.windowMs)
          real = slidingCounter.make(limit)
        }
        return {
          take(key, at, amount) {
            renew(at)
            return real.take(key, at, amount)
          },
          estimate(key, at) {
            renew(at)
            return real.estimate(key, at)
          },
        }
      },
    },
  }),
  ...mutantsOf(flowProperty, {
    'token bucket: holds one more than the burst': flowOf('large', (l) => ({ ...l, burst: l.burst + 1 })),
    'token bucket: flows in twice as fast': flowOf('fast', (l) => ({ ...l, count: 2 * l.count })),
    'token bucket: full again after any pause': forgetsAfter(1),
  }),
  ...mutantsOf(equivalenceProperty, {
    'gcra: what just fits is refused': againstBucket({
      name: 'strict gcra',
      // A tolerance that is smaller by one unit is equivalent to < in place of ≤.
      make: (limit) => single(makeGcra({ ...limit, burst: limit.burst - 1 / limit.periodMs })),
    }),
    'gcra: the spacing is cut to whole milliseconds': againstBucket({
      name: 'cut gcra',
      make(limit) {
        const periodMs = Math.max(1, Math.floor(limit.periodMs / limit.count))
        return single(makeGcra({ count: 1, periodMs, burst: limit.burst }))
      },
    }),
  }),
]
