/**
 * The rolling window: a log of request times per counter. As in the original gateway, rejected requests enter the log
 * too, so a client that keeps calling stays blocked. Source: docs/reference/rate-limits.md#rolling-window-limiter.
 *
 * Only the newest entries influence a decision. The log therefore keeps at most `entriesKept` entries, or as many as
 * the limit allows if that is more, and a client that keeps calling costs a bounded amount of memory.
 */
import type { Millis } from '../ports/clock.ts'
import type { RateResult } from '../ports/rate-limit.ts'
import type { SmoothingState } from './smoothing.ts'
import { TimeRing } from './time-ring.ts'

/** State of one rolling window. Changed in place by `decideRolling`. */
export interface RollingLog {
  readonly algorithm: 'rolling'
  readonly times: TimeRing
  /** Set by the first request under a smoothed limit. */
  smoothing: SmoothingState | undefined
  endsAt: Millis
}

/** Variants of the algorithm. */
export interface RollingOptions {
  /** Allows one request fewer (`drl_enable_sentinel_rate_limiter`). Default: false. */
  readonly oneLess?: boolean
  /** Rejected requests enter the log. Default: true. */
  readonly countRejected?: boolean
  /** Minimum capacity of the log, for limits that smoothing can raise. Default: `max`. */
  readonly kept?: number
}

/**
 * Minimum capacity of a log. Entries beyond the limit are rejected requests. They matter only if the limit is raised while
 * they are in the window, because they then count under the new limit.
 */
export const entriesKept = 256

export function freshLog(): RollingLog {
  return { algorithm: 'rolling', times: new TimeRing(), smoothing: undefined, endsAt: Number.NEGATIVE_INFINITY }
}

/**
 * Counts `amount` requests against a limit of `max` requests (a whole number) in any span of `windowMs`. Amount 0 reads
 * without counting. If the clock stepped back, the time of the newest entry replaces `now`.
 * `resetAt` is now while requests remain. After the last allowed request it is one window later, as in the original
 * gateway. After a rejected request it is the moment from which the same request would be allowed.
 */
export function decideRolling(
  log: RollingLog,
  now: Millis,
  max: number,
  windowMs: Millis,
  amount: number,
  options: RollingOptions = {},
): RateResult {
  const at = Math.max(now, log.times.newest)
  const before = log.times.countAfter(at - windowMs)
  const limit = options.oneLess === true ? max - 1 : max
  const wanted = amount === 0 ? 1 : amount
  const allowed = before + wanted <= limit
  if (amount > 0 && (allowed || options.countRejected !== false))
    noteInLog(log, at, windowMs, options.kept ?? max, amount)
  const remaining = Math.max(0, max - before - amount)
  if (allowed) return { allowed, remaining, resetAt: remaining > 0 ? now : at + windowMs }
  return { allowed, remaining, resetAt: opensAt(log.times, at, windowMs, limit - wanted + 1) }
}

/** Appends requests to the log and removes entries that left the window. `atLeast`: minimum capacity of the log. */
export function noteInLog(
  log: { readonly times: TimeRing; endsAt: Millis },
  at: Millis,
  windowMs: Millis,
  atLeast: number,
  amount: number,
): void {
  const kept = Math.max(atLeast, entriesKept)
  log.times.drop(at - windowMs)
  for (let i = Math.min(amount, kept); i > 0; i -= 1) log.times.add(at, kept)
  log.endsAt = at + windowMs
}

/** The moment at which the n-th newest entry leaves the window; one window from now if the log has no such entry. */
function opensAt(times: TimeRing, at: Millis, windowMs: Millis, n: number): Millis {
  return n >= 1 && n <= times.length ? times.nthNewest(n) + windowMs : at + windowMs
}
