/** Moves a virtual clock to the instants of a trace. */
import type { Millis } from '@turnpike/core'
import type { VirtualClock } from '../virtual-clock.ts'

/** The last part of a jump, in which all timers run. It is longer than the interval of any sweep. */
const steppedMs = 120_000

/**
 * Sets the clock to an instant, which may be in the past. Of a long pause only the last `steppedMs` run the timers, because
 * running those of a whole month would take too long.
 */
export function moveClock(clock: VirtualClock, at: Millis): void {
  if (at - clock.now() > steppedMs) clock.set(at - steppedMs)
  clock.moveTo(at)
}
