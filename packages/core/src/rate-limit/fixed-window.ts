/**
 * The fixed window: each window starts at a multiple of its length since the epoch and has one count.
 * Source: docs/reference/rate-limits.md#fixed-window-limiter.
 */
import type { Millis } from '../ports/clock.ts'
import type { RateResult } from '../ports/rate-limit.ts'

/** State of one counter. Changed in place by `decideFixed`. */
export interface FixedWindow {
  readonly algorithm: 'fixed'
  /** Start of the window to which `count` belongs. */
  startedAt: Millis
  /** Requests in the window. Rejected ones count too, which matters only if the limit is raised within the window. */
  count: number
  windowMs: Millis
}

export function freshWindow(): FixedWindow {
  return { algorithm: 'fixed', startedAt: Number.NEGATIVE_INFINITY, count: 0, windowMs: 0 }
}

/**
 * Counts `amount` requests against a limit of `max` requests (a whole number) per window. Amount 0 reads without
 * counting. `remaining` is the number of requests left in the window, where the original gateway always reports 0;
 * `resetAt` is the end of the window. If the clock steps back, the newest window stays current. A window of length 0
 * never blocks, unless `max` is 0.
 */
export function decideFixed(
  state: FixedWindow,
  now: Millis,
  max: number,
  windowMs: Millis,
  amount: number,
): RateResult {
  if (windowMs <= 0) {
    return { allowed: max >= Math.max(1, amount), remaining: Math.max(0, max - amount), resetAt: now }
  }
  const window = now - (((now % windowMs) + windowMs) % windowMs)
  const isNew = window > state.startedAt
  const startedAt = isNew ? window : state.startedAt
  const count = isNew ? 0 : state.count
  if (amount > 0) {
    state.startedAt = startedAt
    state.count = count + amount
    state.windowMs = windowMs
  }
  return {
    allowed: count + Math.max(1, amount) <= max,
    remaining: Math.max(0, max - count - amount),
    resetAt: startedAt + windowMs,
  }
}
