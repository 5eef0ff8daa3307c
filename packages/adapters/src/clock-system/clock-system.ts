/**
 * The system's time. Timers are unref'd, as the port demands: a planned sweep must not keep a process alive that has
 * closed everything else.
 */
import type { Clock } from '@turnpike/core'

/** Longest delay a timer of Node takes; anything longer would fire at once. */
const longestDelayMs = 2_147_483_647

/** Time and timers of this process. */
export const systemClock: Clock = {
  now: Date.now,
  after(delayMs, fn) {
    let timer = setTimeout(step, Math.min(delayMs, longestDelayMs))
    let leftMs = delayMs - longestDelayMs
    timer.unref()
    return () => clearTimeout(timer)

    function step() {
      if (leftMs <= 0) return fn()
      timer = setTimeout(step, Math.min(leftMs, longestDelayMs))
      timer.unref()
      leftMs -= longestDelayMs
    }
  },
  breathe: () => new Promise((resolve) => setImmediate(resolve)),
}
