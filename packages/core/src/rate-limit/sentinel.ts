/**
 * The sentinel: a request only looks for a mark; the same log as in `rolling-log.ts` is written beside it and sets
 * the mark, which closes the counter for a whole window. Source: docs/reference/rate-limits.md#sentinel-limiter.
 * The recorded gateway writes the log after it answered, so a burst may slip past there; here it is exact.
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
  /** Made by the first request under a smoothed limit. */
  smoothing: SmoothingState | undefined
  /** The mark stands until then. */
  markedUntil: Millis
  endsAt: Millis
}

export function freshSentinel(): Sentinel {
  return {
    algorithm: 'sentinel',
    times: new TimeRing(),
    smoothing: undefined,
    markedUntil: Number.NEGATIVE_INFINITY,
    endsAt: Number.NEGATIVE_INFINITY,
  }
}

/**
 * Asks for `amount` requests, of which `most` (a whole number) may pass before the counter closes for `windowMs`.
 * Amount 0 only looks. Remaining is always 0, as recorded; `resetAt` is the mark's end, or now without one.
 * The request that meets the limit passes and sets the mark; a standing mark is not prolonged, but the log goes on
 * filling with refused requests, so the first one after the mark sets it anew. `kept` entries are held in the log.
 */
export function decideSentinel(
  state: Sentinel,
  now: Millis,
  most: number,
  windowMs: Millis,
  amount: number,
  kept = most,
): RateResult {
  const at = Math.max(now, state.times.newest)
  const allowed = at >= state.markedUntil
  if (amount > 0) {
    const before = state.times.countAfter(at - windowMs)
    noteInLog(state, at, windowMs, kept, amount)
    if (allowed && before + amount >= most) {
      state.markedUntil = at + windowMs
      state.endsAt = state.markedUntil
    }
  }
  return { allowed, remaining: 0, resetAt: at < state.markedUntil ? state.markedUntil : now }
}
