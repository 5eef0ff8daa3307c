/**
 * The system clock. Timers do not keep the process alive, as the port requires, so that a scheduled task does not prevent
 * the end of a process that has closed everything else.
 */
import type { Clock } from '@turnpike/core/ports'

/** Maximum delay of a timer in Node. Longer timers would fire immediately, so they are split. */
const maxDelayMs = 2_147_483_647

/** Time and timers of this process. */
export const systemClock: Clock = {
  now: Date.now,
  after(delayMs, fn) {
    let timer = setTimeout(step, Math.min(delayMs, maxDelayMs))
    let remainingMs = delayMs - maxDelayMs
    timer.unref()
    return () => clearTimeout(timer)

    function step() {
      if (remainingMs <= 0) return fn()
      timer = setTimeout(step, Math.min(remainingMs, maxDelayMs))
      timer.unref()
      remainingMs -= maxDelayMs
    }
  },
  breathe: () => new Promise((resolve) => setImmediate(resolve)),
}
