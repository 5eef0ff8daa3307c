/**
 * Time for what is late, pauses and looks now and then. Unlike the time of day nobody sets it back, and unlike plain
 * timers of Node.js none of these keeps the process alive. A simulation puts its own in place of the process's.
 */
import type { Cancel, Millis } from '@turnpike/core'

export interface Timers {
  /** Ms since some moment that stays the same; never goes back. */
  now(): Millis
  after(delayMs: Millis, fn: () => void): Cancel
  /** Does work when the event loop's turn ends. Absent: nothing waits for that. */
  readonly atTurnEnd?: (fn: () => void) => void
}

export const processTimers: Timers = {
  now: () => performance.now(),
  after(delayMs, fn) {
    const timer = setTimeout(fn, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
  atTurnEnd: setImmediate,
}

/** Resolves after a while. */
export function pause({ after }: Timers, ms: Millis): Promise<void> {
  return new Promise((resolve) => {
    after(ms, resolve)
  })
}

/** Calls `fn` again and again; the first time after `ms`. */
export function every({ after }: Timers, ms: Millis, fn: () => void): Cancel {
  let cancel = after(ms, next)
  function next() {
    cancel = after(ms, next)
    fn()
  }
  return () => cancel()
}
