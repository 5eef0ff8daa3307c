/** Exponential backoff for replacing a worker that exited. */
export interface BackOff {
  /** Takes the lifetime of the worker that exited and returns the delay before its replacement; both in ms. */
  nextDelay(livedMs: number): number
}

const initialDelayMs = 100
const maxDelayMs = 10_000
/** A worker that lived at least this long resets the delay. */
const resetAfterMs = 30_000

export function makeBackOff(): BackOff {
  let next = initialDelayMs
  return {
    nextDelay(livedMs) {
      if (livedMs >= resetAfterMs) next = initialDelayMs
      const wait = next
      next = Math.min(maxDelayMs, next * 2)
      return wait
    },
  }
}
