/**
 * One door to the four recorded algorithms: picks the one that a limit names and cuts fractions as recorded.
 * Stores that decide in process call this; the state is theirs to keep.
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

/** A counter on which nothing was counted yet. */
export function freshRate(algorithm: RateAlgorithm): RateCounter {
  if (algorithm === 'local') return freshBucket()
  if (algorithm === 'rolling') return freshLog()
  return algorithm === 'sentinel' ? freshSentinel() : freshWindow()
}

/** Asks a counter, made for the limit's algorithm, for `amount` requests. Amount 0 changes nothing. */
export function decideRate(counter: RateCounter, now: Millis, limit: RateLimit, amount: number): RateResult {
  if (counter.algorithm === 'local') return decideLocal(counter, now, limit.rate, limit.per, amount)
  const most = Math.floor(limit.rate)
  const windowMs = Math.floor(limit.per) * 1000
  if (counter.algorithm === 'fixed') return decideFixed(counter, now, most, windowMs, amount)
  if (limit.smoothing !== undefined) return decideSmoothed(counter, now, limit, limit.smoothing, amount)
  if (counter.algorithm === 'sentinel') return decideSentinel(counter, now, most, windowMs, amount)
  return decideRolling(counter, now, most, windowMs, amount, limit.oneLess ? whenOneLess : asRecorded)
}

// Made once, so that no request makes them.
const asRecorded: RollingOptions = {}
const whenOneLess: RollingOptions = { oneLess: true }

/** When the counter stands for nothing any more; what it is asked after that, a fresh one answers alike. */
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
  const taken =
    counter.algorithm === 'sentinel'
      ? decideSentinel(counter, now, allowance, windowMs, amount, rate)
      : decideRolling(counter, now, allowance, windowMs, amount, { oneLess: limit.oneLess, kept: rate })
  // An allowance outlives its log: it is forgotten when it has not moved for two delays, as recorded.
  const forgottenAt = (counter.smoothing?.nextChangeAt ?? now) + smoothing.delay * 1000
  if (amount > 0) counter.endsAt = Math.max(counter.endsAt, forgottenAt)
  return moved === undefined ? taken : { ...taken, allowanceMoved: moved }
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
