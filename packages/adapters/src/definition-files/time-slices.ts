/** Cuts looking at many files into slices, so that requests are served in between. */
import type { Clock } from '@turnpike/core'

const sliceMs = 4
const stepsBetweenLooks = 8

/** `pause` is called after each step. Real time is measured, whatever the clock: it is the event loop that waits. */
export function makeFileSlices(clock: Clock): { pause(): Promise<void> | undefined } {
  let startedAt = performance.now()
  let steps = 0
  return {
    pause() {
      if (++steps % stepsBetweenLooks !== 0 || performance.now() - startedAt < sliceMs) return undefined
      return clock.breathe().then(() => {
        startedAt = performance.now()
      })
    },
  }
}
