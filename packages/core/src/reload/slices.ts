/** Cuts long work into slices, so that requests are served in between: no stall of the event loop over 20 ms. */
import type { Clock } from '../ports/clock.ts'

/** Long enough to get on, short against the 20 ms that a request may wait. */
const sliceMs = 4
/** Looking at the clock has a price too. */
const stepsBetweenLooks = 4

/** `pause` is called after each step; it lets other work run when the slice is used up. */
export function makeSlices(clock: Clock): { pause(): Promise<void> } {
  let startedAt = clock.now()
  let steps = 0
  return {
    async pause() {
      if (++steps % stepsBetweenLooks !== 0 || clock.now() - startedAt < sliceMs) return
      await clock.breathe()
      startedAt = clock.now()
    },
  }
}
