import type { Clock } from '@turnpike/core/ports'

/** The time of this process, for tests with sockets. */
export const realClock: Clock = {
  now: Date.now,
  after(delayMs, fn) {
    const timer = setTimeout(fn, delayMs).unref()
    return () => clearTimeout(timer)
  },
  breathe: () => new Promise((resolve) => setImmediate(resolve)),
}
