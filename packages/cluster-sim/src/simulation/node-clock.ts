/** The clock of one machine: it may deviate from the others, and it stops when the node crashes. */
import type { Millis } from '@turnpike/core/lib'
import type { Clock } from '@turnpike/core/ports'

export interface NodeClock extends Clock {
  /** Sets the clock forward or back. Timers do not follow the time of day. */
  step(byMs: Millis): void
  /** Stops all timers; code that waits for one never resumes. */
  stop(): void
  isStopped(): boolean
}

export function makeNodeClock(simulation: Clock, skewMs: Millis): NodeClock {
  let skew = skewMs
  let stopped = false
  return {
    now: () => simulation.now() + skew,
    after: (delayMs, fn) =>
      simulation.after(delayMs, () => {
        if (!stopped) fn()
      }),
    breathe: () => (stopped ? new Promise(() => {}) : simulation.breathe()),
    step(byMs) {
      skew += byMs
    },
    stop() {
      stopped = true
    },
    isStopped: () => stopped,
  }
}
