/**
 * The fixed window: windows stand at multiples of their length since the epoch, one count each.
 * Source: docs/reference/rate-limits.md#fixed-window-limiter.
 */
import type { Millis } from '../ports/clock.ts'
import type { RateResult } from '../ports/rate-limit.ts'

/** State of one counter. Changed in place by `decideFixed`. */
export interface FixedWindow {
  readonly algorithm: 'fixed'
  /** Start of the window that `count` is about. */
  startedAt: Millis
  /** Requests in it, refused ones included: they decide nothing until the limit is raised within the window. */
  count: number
  windowMs: Millis
}

export function freshWindow(): FixedWindow {
  return { algorithm: 'fixed', startedAt: Number.NEGATIVE_INFINITY, count: 0, windowMs: 0 }
}

/**
 * Counts `amount` requests, of which `most` (a whole number) may come in a window. Amount 0 only looks.
 * Remaining is always 0, as recorded; `resetAt` is the window's end. A clock that stepped back stays in the newest
 * window. A window of no length never closes, unless `most` is 0.
 */
export function decideFixed(
  state: FixedWindow,
  now: Millis,
  most: number,
  windowMs: Millis,
  amount: number,
): RateResult {
  if (windowMs <= 0) return { allowed: most >= Math.max(1, amount), remaining: 0, resetAt: now }
  const window = now - (((now % windowMs) + windowMs) % windowMs)
  const isNew = window > state.startedAt
  const startedAt = isNew ? window : state.startedAt
  const count = isNew ? 0 : state.count
  if (amount > 0) {
    state.startedAt = startedAt
    state.count = count + amount
    state.windowMs = windowMs
  }
  return { allowed: count + Math.max(1, amount) <= most, remaining: 0, resetAt: startedAt + windowMs }
}
