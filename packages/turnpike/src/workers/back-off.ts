/** Exponential backoff for replacing a worker that exited. */

const initialDelayMs = 100
const maxDelayMs = 10_000
/** A worker that lived at least this long resets the delay. */
const resetAfterMs = 30_000

export function makeBackOff() {
  let next = initialDelayMs
  return {
    /** Takes the lifetime of the worker that exited and returns the delay before its replacement; both in ms. */
    nextDelay(livedMs: number): number {
      if (livedMs >= resetAfterMs) next = initialDelayMs
      const wait = next
      next = Math.min(maxDelayMs, next * 2)
      return wait
    },
  }
}
