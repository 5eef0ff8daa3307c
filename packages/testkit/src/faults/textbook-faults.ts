/** Faults planted into the textbook limiters. */
import { type FlowLimit, makeGcra, makeTokenBucket } from '@turnpike/core'
import { slidingCounterLaw } from '../laws/law-03-sliding-counter.ts'
import { flowLaw } from '../laws/law-04-flow.ts'
import { equivalenceLaw } from '../laws/law-05-equivalence.ts'
import type { RateUnderTest } from '../laws/rate-subject.ts'
import { type FlowSubject, flows, type SlidingSubject, slidingCounter } from '../laws/textbook-rates.ts'
import { type PlantedFault, plant } from './fault.ts'

/** A flow of one key made for another limit. */
function flowOf(name: string, change: (limit: FlowLimit) => FlowLimit): FlowSubject {
  return { name, make: (limit) => single(makeTokenBucket(change(limit))) }
}

function single(limiter: { take: (at: number, amount: number) => ReturnType<RateUnderTest['take']> }): RateUnderTest {
  return { take: (_key, at, amount) => limiter.take(at, amount) }
}

/** Forgets what the level was after a silence, so it may begin beyond its brim or anew in the middle. */
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

function patchSliding(
  change: (seen: { estimate: number; previous: number; current: number; elapsedMs: number }) => number,
): SlidingSubject {
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

const againstBucket = (name: string, member: FlowSubject) => ({
  name,
  members: [flows[0] as FlowSubject, member],
})

export const textbookFaults: readonly PlantedFault[] = [
  plant(
    'sliding counter: the window before is not weighed',
    slidingCounterLaw,
    patchSliding(({ previous, current }) => previous + current),
  ),
  plant('sliding counter: the window before is forgotten', slidingCounterLaw, {
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
  }),
  plant(
    'token bucket: holds one more than the burst',
    flowLaw,
    flowOf('large', (l) => ({ ...l, burst: l.burst + 1 })),
  ),
  plant(
    'token bucket: flows in twice as fast',
    flowLaw,
    flowOf('fast', (l) => ({ ...l, count: 2 * l.count })),
  ),
  plant('token bucket: full again after any pause', flowLaw, forgetsAfter(1)),
  plant(
    'gcra: what just fits is refused',
    equivalenceLaw,
    againstBucket('strict gcra', {
      name: 'strict gcra',
      // A tolerance that is one unit smaller is the same as < in place of ≤.
      make: (limit) => single(makeGcra({ ...limit, burst: limit.burst - 1 / limit.periodMs })),
    }),
  ),
  plant(
    'gcra: the spacing is cut to whole milliseconds',
    equivalenceLaw,
    againstBucket('cut gcra', {
      name: 'cut gcra',
      make(limit) {
        const periodMs = Math.max(1, Math.floor(limit.periodMs / limit.count))
        return single(makeGcra({ count: 1, periodMs, burst: limit.burst }))
      },
    }),
  ),
]
