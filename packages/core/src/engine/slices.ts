/**
 * Cuts long work into slices, so that requests are served in between: no stall of the event loop over 20 ms. On a
 * machine with other work a slice takes several times as long as its work does, and the garbage collector comes on top.
 */
import type { Clock } from '../ports/clock.ts'

/** Long enough to get on, short against the 20 ms that a request may wait. */
const sliceMs = 2
/** Looking at the clock has a price too. */
const stepsBetweenLooks = 4

export interface Slices {
  /** Called after each step; lets other work run when the slice is used up. */
  pause(): Promise<void>
  /** Called before a step that takes a slice by itself; lets other work run unless the slice has just begun. */
  begin(): Promise<void>
}

export function makeSlices(clock: Clock): Slices {
  let startedAt = clock.now()
  let steps = 0
  const breatheAfter = async (ms: number): Promise<void> => {
    if (clock.now() - startedAt < ms) return
    await clock.breathe()
    startedAt = clock.now()
  }
  const done = Promise.resolve()
  return {
    pause: () => (++steps % stepsBetweenLooks === 0 ? breatheAfter(sliceMs) : done),
    begin: () => breatheAfter(1),
  }
}
