/** Moves a virtual clock to the instants of a trace. */
import type { Millis } from '@turnpike/core'
import type { VirtualClock } from '../virtual-clock.ts'

/** Time before a request that really passes, so that sweeps and other timers have their turn. */
const passedMs = 120_000

/** Goes to an instant, back as well. Long silences are leapt over but for their end: nobody waits through a month. */
export function moveClock(clock: VirtualClock, at: Millis): void {
  if (at - clock.now() > passedMs) clock.set(at - passedMs)
  clock.moveTo(at)
}
