/**
 * A clock that the benchmark can advance, so that an API that allows 5 requests in 10 seconds is not measured while
 * it rejects requests. Rate windows and token buckets behave as usual.
 */
import { systemClock } from '@turnpike/adapters/clock-system'
import type { Clock } from '@turnpike/core/ports'

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
