/**
 * Monotonic time and timers for deadlines, pauses and intervals. The timers do not keep the process alive. A simulation
 * replaces them.
 */
import type { Millis } from '@turnpike/core/lib'
import type { Cancel } from '@turnpike/core/ports'

export interface Timers {
  /** Monotonic time in ms since an arbitrary moment. */
  now(): Millis
  after(delayMs: Millis, fn: () => void): Cancel
  /** Calls `fn` at the end of the event loop iteration. Absent: decisions are not batched. */
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

/** Resolves after `ms`. */
export function pause({ after }: Timers, ms: Millis): Promise<void> {
  return new Promise((resolve) => {
    after(ms, resolve)
  })
}

/** Calls `fn` repeatedly, the first time after `ms`. */
export function every({ after }: Timers, ms: Millis, fn: () => void): Cancel {
  let cancel = after(ms, next)
  function next() {
    cancel = after(ms, next)
    fn()
  }
  return () => cancel()
}
