/**
 * The rolling window: a log of times per counter. As recorded, every request goes into the log, refused ones too, so
 * a client that keeps calling stays out. Source: docs/reference/rate-limits.md#rolling-window-limiter.
 *
 * Only the newest entries can decide anything, so the log holds no more than `entriesKept` of them or the limit's
 * number: a client that hammers a closed window costs a fixed amount of memory.
 */
import type { Millis } from '../ports/clock.ts'
import type { RateResult } from '../ports/rate-limit.ts'
import type { SmoothingState } from './smoothing.ts'
import { TimeRing } from './time-ring.ts'

/** State of one rolling window. Changed in place by `decideRolling`. */
export interface RollingLog {
  readonly algorithm: 'rolling'
  readonly times: TimeRing
  /** Made by the first request under a smoothed limit. */
  smoothing: SmoothingState | undefined
  endsAt: Millis
}

/** How the log decides where it is not as recorded. */
export interface RollingOptions {
  /** One request fewer passes (`drl_enable_sentinel_rate_limiter`). Default false. */
  readonly oneLess?: boolean
  /** Refused requests go into the log. Default true, as recorded. */
  readonly countRefused?: boolean
  /** Entries to hold where the limit may rise by itself. Default: `most`. */
  readonly kept?: number
}

/**
 * Entries held beyond the limit itself. They matter only when the limit is raised while the window is closed: what
 * was refused under the old limit still counts under the new one.
 */
export const entriesKept = 256

export function freshLog(): RollingLog {
  return { algorithm: 'rolling', times: new TimeRing(), smoothing: undefined, endsAt: Number.NEGATIVE_INFINITY }
}

/**
 * Asks for `amount` requests, of which `most` (a whole number) may be in any span of `windowMs`. Amount 0 only looks.
 * A clock that stepped back is taken to stand still at the newest entry.
 * `resetAt` is now while something is left; after the last allowed request it is a whole window away, as recorded;
 * after a refused one it is the instant at which the same request, asked alone, passes.
 */
export function decideRolling(
  log: RollingLog,
  now: Millis,
  most: number,
  windowMs: Millis,
  amount: number,
  options: RollingOptions = {},
): RateResult {
  const at = Math.max(now, log.times.newest)
  const before = log.times.countAfter(at - windowMs)
  const limit = options.oneLess === true ? most - 1 : most
  const wanted = amount === 0 ? 1 : amount
  const allowed = before + wanted <= limit
  if (amount > 0 && (allowed || options.countRefused !== false))
    noteInLog(log, at, windowMs, options.kept ?? most, amount)
  const remaining = Math.max(0, most - before - amount)
  if (allowed) return { allowed, remaining, resetAt: remaining > 0 ? now : at + windowMs }
  return { allowed, remaining, resetAt: opensAt(log.times, at, windowMs, limit - wanted + 1) }
}

/** Writes requests into the log and forgets what has left the window; `atLeast` entries are held when they come. */
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

/** A request passes when the n-th newest entry has left; n out of the log's range: not within a window from now. */
function opensAt(times: TimeRing, at: Millis, windowMs: Millis, n: number): Millis {
  return n >= 1 && n <= times.length ? times.nthNewest(n) + windowMs : at + windowMs
}
