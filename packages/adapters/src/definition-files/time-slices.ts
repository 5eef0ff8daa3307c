/** Splits work on many files into time slices, so that requests are served in between. */
import type { Clock } from '@turnpike/core/ports'

const sliceMs = 4
const stepsPerTimeCheck = 8

/**
 * `next` must be called after each step. It returns a promise to wait for if the slice is over. Slices are measured in real
 * time, also with a simulated clock, because they limit how long the event loop is blocked.
 */
export function makeTimeSlices(clock: Clock): { next(): Promise<void> | undefined } {
  let startedAt = performance.now()
  let steps = 0
  return {
    next() {
      if (++steps % stepsPerTimeCheck !== 0 || performance.now() - startedAt < sliceMs) return undefined
      return clock.breathe().then(() => {
        startedAt = performance.now()
      })
    },
  }
}
