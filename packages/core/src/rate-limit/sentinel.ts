/**
 * The sentinel: a request checks only whether the counter is blocked. Each request also enters the same log as in
 * `rolling-log.ts`; when the log reaches the limit, the counter is blocked for a whole window. The original gateway
 * writes the log after its response, so it lets bursts through; this implementation counts exactly.
 * Source: docs/reference/rate-limits.md#sentinel-limiter.
 */
import type { Millis } from '../ports/clock.ts'
import type { RateResult } from '../ports/rate-limit.ts'
import { noteInLog } from './rolling-log.ts'
import type { SmoothingState } from './smoothing.ts'
import { TimeRing } from './time-ring.ts'

/** State of one counter. Changed in place by `decideSentinel`. */
export interface Sentinel {
  readonly algorithm: 'sentinel'
  readonly times: TimeRing
  /** Set by the first request under a smoothed limit. */
  smoothing: SmoothingState | undefined
  /** The counter is blocked until this moment. */
  blockedUntil: Millis
  endsAt: Millis
}

export function freshSentinel(): Sentinel {
  return {
    algorithm: 'sentinel',
    times: new TimeRing(),
    smoothing: undefined,
    blockedUntil: Number.NEGATIVE_INFINITY,
    endsAt: Number.NEGATIVE_INFINITY,
  }
}

/**
 * Counts `amount` requests. `max` requests (a whole number) are allowed before the counter is blocked for `windowMs`.
 * Amount 0 reads without counting. `remaining` is always 0, as in the original gateway; `resetAt` is the end of the
 * block, or now. The request that reaches the limit is allowed and starts the block. Rejected requests do not extend the
 * block, but they enter the log, so the first request after the block can start the next one. `kept` is the minimum
 * capacity of the log.
 */
export function decideSentinel(
  state: Sentinel,
  now: Millis,
  max: number,
  windowMs: Millis,
  amount: number,
  kept = max,
): RateResult {
  const at = Math.max(now, state.times.newest)
  const allowed = at >= state.blockedUntil
  if (amount > 0) {
    const before = state.times.countAfter(at - windowMs)
    noteInLog(state, at, windowMs, kept, amount)
    if (allowed && before + amount >= max) {
      state.blockedUntil = at + windowMs
      state.endsAt = state.blockedUntil
    }
  }
  return { allowed, remaining: 0, resetAt: at < state.blockedUntil ? state.blockedUntil : now }
}
