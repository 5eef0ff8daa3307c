/** The clock of one machine: it may go wrong against the others, and it stands still for who has crashed. */
import type { Clock, Millis } from '@turnpike/core'

export interface NodeClock extends Clock {
  /** Sets the clock forward or back. Timers do not follow the time of day. */
  step(byMs: Millis): void
  /** No timer fires any more and nothing that waited goes on. */
  stop(): void
  isStopped(): boolean
}

export function makeNodeClock(world: Clock, skewMs: Millis): NodeClock {
  let skew = skewMs
  let stopped = false
  return {
    now: () => world.now() + skew,
    after: (delayMs, fn) =>
      world.after(delayMs, () => {
        if (!stopped) fn()
      }),
    breathe: () => (stopped ? new Promise(() => {}) : world.breathe()),
    step(byMs) {
      skew += byMs
    },
    stop() {
      stopped = true
    },
    isStopped: () => stopped,
  }
}
