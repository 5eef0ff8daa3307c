/** The textbook limiters as subjects of the properties of flows, of estimates and of rates. */
import type { Maybe, Millis } from '@turnpike/core/lib'
import { decideRolling, freshLog } from '@turnpike/core/rate-limit'
import { byKey } from '../../limiters/by-key.ts'
import { makeGcra } from '../../limiters/gcra.ts'
import { makeLeakyMeter } from '../../limiters/leaky-meter.ts'
import type { FlowLimit, Limiter } from '../../limiters/limiter.ts'
import { makeSlidingCounter, type SlidingEstimate, type SlidingLimit } from '../../limiters/sliding-counter.ts'
import { makeTokenBucket } from '../../limiters/token-bucket.ts'
import type { RateSubject, RateTraits, RateUnderTest } from './rate-subject.ts'

/** A flow limiter: token bucket, leaky meter, GCRA (properties 4 and 5). */
export interface FlowSubject {
  readonly name: string
  make(limit: FlowLimit): RateUnderTest
}

/** A limiter that estimates a trailing count (property 3). */
export interface SlidingSubject {
  readonly name: string
  make(limit: SlidingLimit): RateUnderTest & { estimate(key: string, at: Millis): Maybe<SlidingEstimate> }
}

/** How subjects keep the limiter of each key. The returned function calls `use` with the limiter of a key. */
export type KeepLimiters = <L extends Limiter>(
  make: (kept?: readonly number[]) => L,
) => <T>(key: string, at: Millis, use: (limiter: L) => T) => Maybe<T>

const flowLimiters = { 'token bucket': makeTokenBucket, 'leaky meter': makeLeakyMeter, gcra: makeGcra }

/** Token bucket, leaky meter and GCRA. */
export function keptFlows(keep: KeepLimiters): readonly FlowSubject[] {
  return Object.entries(flowLimiters).map(([name, make]) => ({
    name,
    make(limit) {
      const ask = keep((kept) => make(limit, kept))
      return { take: (key, at, amount) => ask(key, at, (limiter) => limiter.take(at, amount)) }
    },
  }))
}

export function keptSlidingCounter(keep: KeepLimiters): SlidingSubject {
  return {
    name: 'sliding counter',
    make(limit) {
      const ask = keep((kept) => makeSlidingCounter(limit, kept))
      return {
        take: (key, at, amount) => ask(key, at, (counter) => counter.take(at, amount)),
        estimate: (key, at) => ask(key, at, (counter) => counter.estimate(at)),
      }
    },
  }
}

const inMemory: KeepLimiters = (make) => {
  const limiterOf = byKey(() => make())
  return (key, _at, use) => use(limiterOf(key))
}

export const flows = keptFlows(inMemory)
export const slidingCounter = keptSlidingCounter(inMemory)

const flowTraits: RateTraits = {
  most: (rate) => Math.max(1, Math.floor(rate)),
  windowMs: (per) => Math.max(1, Math.floor(per)) * 1000,
  counted: 'admitted',
  windows: 'trailing',
  neverRejected: (rate) => Math.max(1, Math.floor(rate)),
  quietWindows: 1,
  monotone: true,
  stepBackMs: Number.POSITIVE_INFINITY,
  remaining: 'counts-down',
  keepsBack: 0,
}

/** The flow limiters as rates: the burst is the rate, and each window refills one burst. */
export const flowRates: readonly RateSubject[] = flows.map(({ name, make }) => ({
  name,
  traits: flowTraits,
  make({ rate, per }) {
    const count = flowTraits.most(rate)
    return make({ count, periodMs: flowTraits.windowMs(per), burst: count })
  },
}))

/**
 * The sliding counter as a rate. It may count requests of the previous window as newer than they are. So only a client
 * that stays at half the limit is never rejected, and only two windows without requests clear the counter.
 */
export const slidingRate: RateSubject = {
  name: slidingCounter.name,
  traits: {
    ...flowTraits,
    neverRejected: (rate) => Math.floor(flowTraits.most(rate) / 2),
    quietWindows: 2,
    monotone: false,
  },
  make: ({ rate, per }) => slidingCounter.make({ most: flowTraits.most(rate), windowMs: flowTraits.windowMs(per) }),
}

/** The rolling log of the textbooks, which counts only admitted requests. */
export const plainLogRate: RateSubject = {
  name: 'rolling log, admitted only',
  traits: flowTraits,
  make({ rate, per }) {
    const logs = byKey(freshLog)
    const most = flowTraits.most(rate)
    const windowMs = flowTraits.windowMs(per)
    return { take: (key, at, amount) => decideRolling(logs(key), at, most, windowMs, amount, { countRejected: false }) }
  },
}
