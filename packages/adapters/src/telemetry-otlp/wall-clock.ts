/**
 * Times of spans: a monotonic clock for durations, converted to times since 1970. A system clock has only milliseconds and
 * can be set back, so it only corrects the conversion.
 */
import type { Clock } from '@turnpike/core/ports'

export interface WallClock {
  /** Monotonic microseconds. */
  nowMicros(): number
  /** Converts monotonic microseconds to microseconds since 1970. */
  toEpoch(micros: number): number
}

/** Difference in microseconds at which the system clock was set, rather than only rounded. */
const toleranceMicros = 5_000

/** `nowMicros` default: time of the clock, for clocks that tests advance. */
export function makeWallClock(clock: Pick<Clock, 'now'>, nowMicros = () => clock.now() * 1000): WallClock {
  const measure = () => clock.now() * 1000 - nowMicros()
  let offset = measure()
  return {
    nowMicros,
    toEpoch(micros) {
      const measured = measure()
      if (Math.abs(measured - offset) > toleranceMicros) offset = measured
      return micros + offset
    },
  }
}
