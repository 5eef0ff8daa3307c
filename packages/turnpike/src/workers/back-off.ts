/** How long to wait before a worker that died is replaced: longer each time it dies young. */
export interface BackOff {
  /** A worker died after so many ms of life; returns the ms to wait. */
  died(livedMs: number): number
}

const initialDelayMs = 100
const maxDelayMs = 10_000
/** Who lived so long has earned a fresh start. */
const resetAfterMs = 30_000

export function makeBackOff(): BackOff {
  let next = initialDelayMs
  return {
    died(livedMs) {
      if (livedMs >= resetAfterMs) next = initialDelayMs
      const wait = next
      next = Math.min(maxDelayMs, next * 2)
      return wait
    },
  }
}
