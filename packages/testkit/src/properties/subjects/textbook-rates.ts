/** The textbook limiters as subjects of the properties of flows, of estimates and of rates. */
import { decideRolling, freshLog, type Maybe, type Millis } from '@turnpike/core'
import { makeGcra } from '../../limiters/gcra.ts'
import { makeLeakyMeter } from '../../limiters/leaky-meter.ts'
import type { FlowLimit, Limiter } from '../../limiters/limiter.ts'
import {
  makeSlidingCounter,
  type SlidingCounter,
  type SlidingEstimate,
  type SlidingLimit,
} from '../../limiters/sliding-counter.ts'
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

export const flows: readonly FlowSubject[] = [
  { name: 'token bucket', make: (limit) => perKey(() => makeTokenBucket(limit)) },
  { name: 'leaky meter', make: (limit) => perKey(() => makeLeakyMeter(limit)) },
  { name: 'gcra', make: (limit) => perKey(() => makeGcra(limit)) },
]

export const slidingCounter: SlidingSubject = {
  name: 'sliding counter',
  make(limit) {
    const counters = keyed<SlidingCounter>(() => makeSlidingCounter(limit))
    return {
      take: (key, at, amount) => counters(key).take(at, amount),
      estimate: (key, at) => counters(key).estimate(at),
    }
  },
}

const flowTraits: RateTraits = {
  most: (rate) => Math.max(1, Math.floor(rate)),
  windowMs: (per) => Math.max(1, Math.floor(per)) * 1000,
  counted: 'admitted',
  windows: 'trailing',
  neverRefused: (rate) => Math.max(1, Math.floor(rate)),
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
 * that stays at half the limit is never refused, and only two windows without requests clear the counter.
 */
export const slidingRate: RateSubject = {
  name: slidingCounter.name,
  traits: {
    ...flowTraits,
    neverRefused: (rate) => Math.floor(flowTraits.most(rate) / 2),
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
    const logs = keyed(freshLog)
    const most = flowTraits.most(rate)
    const windowMs = flowTraits.windowMs(per)
    return { take: (key, at, amount) => decideRolling(logs(key), at, most, windowMs, amount, { countRefused: false }) }
  },
}

function perKey(make: () => Limiter): RateUnderTest {
  const limiters = keyed(make)
  return { take: (key, at, amount) => limiters(key).take(at, amount) }
}

function keyed<T>(make: () => T): (key: string) => T {
  const made = new Map<string, T>()
  return (key) => {
    const found = made.get(key)
    if (found !== undefined) return found
    const fresh = make()
    made.set(key, fresh)
    return fresh
  }
}
