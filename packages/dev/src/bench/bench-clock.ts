/**
 * The system's clock, which can be moved on: an API that allows 5 requests in 10 seconds would otherwise be measured
 * refusing. Windows and buckets run as ever, only sooner.
 */
import { systemClock } from '@turnpike/adapters/clock-system'
import type { Clock } from '@turnpike/core'

export interface BenchClock extends Clock {
  moveOn(ms: number): void
}

export function makeBenchClock(): BenchClock {
  let ahead = 0
  return {
    now: () => systemClock.now() + ahead,
    after: systemClock.after,
    breathe: systemClock.breathe,
    moveOn(ms) {
      ahead += ms
    },
  }
}
