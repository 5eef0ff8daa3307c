/**
 * Splits long work into slices, so that it never blocks the event loop for more than 20 ms. On a busy machine a slice
 * takes several times as long as its work, and garbage collection adds to it; hence slices of 2 ms.
 */
import type { Clock } from '../ports/clock.ts'

const sliceMs = 2
/** Reading the clock is not free either. */
const stepsBetweenClockReads = 4

export interface Slices {
  /** Call after each step; yields to the event loop when the slice is used up. */
  pause(): Promise<void>
  /** Call before a step that takes a whole slice; yields to the event loop unless the slice has just begun. */
  begin(): Promise<void>
}

export function makeSlices(clock: Clock): Slices {
  let startedAt = clock.now()
  let steps = 0
  const yieldAfter = async (ms: number): Promise<void> => {
    if (clock.now() - startedAt < ms) return
    await clock.breathe()
    startedAt = clock.now()
  }
  const done = Promise.resolve()
  return {
    pause: () => (++steps % stepsBetweenClockReads === 0 ? yieldAfter(sliceMs) : done),
    begin: () => yieldAfter(1),
  }
}
