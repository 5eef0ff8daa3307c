/**
 * Dispatches to the four rate limit algorithms and rounds rate and period down as the original gateway does.
 * Stores that decide in this process (memory and LMDB) call `decideRate` and keep the state themselves. Rates in
 * Redis are counted by Lua scripts, packages/adapters/src/store-redis/scripts/rate-rules.ts and `consume-smoothed.ts`.
 */
import type { Millis } from '../ports/clock.ts'
import type { RateAlgorithm, RateLimit, RateResult, Smoothing } from '../ports/rate-limit.ts'
import { decideFixed, type FixedWindow, freshWindow } from './fixed-window.ts'
import { decideLocal, freshBucket, type LocalBucket } from './local-bucket.ts'
import { decideRolling, freshLog, type RollingLog, type RollingOptions } from './rolling-log.ts'
import { decideSentinel, freshSentinel, type Sentinel } from './sentinel.ts'
import { allowanceOf, freshSmoothing, moveAllowance } from './smoothing.ts'

/** State of one rate counter. */
export type RateCounter = LocalBucket | RollingLog | Sentinel | FixedWindow

/** Makes a counter that has counted nothing. */
export function freshRate(algorithm: RateAlgorithm): RateCounter {
  if (algorithm === 'local') return freshBucket()
  if (algorithm === 'rolling') return freshLog()
  return algorithm === 'sentinel' ? freshSentinel() : freshWindow()
}

/** Counts `amount` requests on a counter made for the limit's algorithm. Amount 0 reads without counting. */
export function decideRate(counter: RateCounter, now: Millis, limit: RateLimit, amount: number): RateResult {
  if (counter.algorithm === 'local') return decideLocal(counter, now, limit.rate, limit.per, amount)
  const max = Math.floor(limit.rate)
  const windowMs = Math.floor(limit.per) * 1000
  if (counter.algorithm === 'fixed') return decideFixed(counter, now, max, windowMs, amount)
  if (limit.smoothing !== undefined) return decideSmoothed(counter, now, limit, limit.smoothing, amount)
  if (counter.algorithm === 'sentinel') return decideSentinel(counter, now, max, windowMs, amount)
  return decideRolling(counter, now, max, windowMs, amount, limit.oneLess ? oneLessOptions : defaultOptions)
}

// Constants, so that a request allocates no options object.
const defaultOptions: RollingOptions = {}
const oneLessOptions: RollingOptions = { oneLess: true }

/** The moment from which a fresh counter gives the same results, so that this one can be removed. */
export function rateEndsAt(counter: RateCounter): Millis {
  if (counter.algorithm === 'local' || counter.algorithm === 'fixed') return counter.startedAt + counter.windowMs
  return counter.endsAt
}

function decideSmoothed(
  counter: RollingLog | Sentinel,
  now: Millis,
  limit: RateLimit,
  smoothing: Smoothing,
  amount: number,
): RateResult {
  const rate = Math.floor(limit.rate)
  const windowMs = Math.floor(limit.per) * 1000
  const moved = amount > 0 ? smooth(counter, now, rate, windowMs, smoothing) : undefined
  const allowance = allowanceOf(counter.smoothing, rate, smoothing)
  const result =
    counter.algorithm === 'sentinel'
      ? decideSentinel(counter, now, allowance, windowMs, amount, rate)
      : decideRolling(counter, now, allowance, windowMs, amount, { oneLess: limit.oneLess, kept: rate })
  // The allowance outlives the log. It expires if it has not changed for two delays, as in the original gateway.
  const forgottenAt = (counter.smoothing?.nextChangeAt ?? now) + smoothing.delay * 1000
  if (amount > 0) counter.endsAt = Math.max(counter.endsAt, forgottenAt)
  return moved === undefined ? result : { ...result, allowanceMoved: moved }
}

function smooth(
  counter: RollingLog | Sentinel,
  now: Millis,
  rate: number,
  windowMs: Millis,
  smoothing: Smoothing,
): 'up' | 'down' | undefined {
  const at = Math.max(now, counter.times.newest)
  if (counter.smoothing === undefined) {
    counter.smoothing = freshSmoothing(at, rate, smoothing)
    return undefined
  }
  return moveAllowance(counter.smoothing, at, rate, smoothing, counter.times.countAfter(at - windowMs))
}
