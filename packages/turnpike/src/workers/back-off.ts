/** How long to wait before a worker that died is replaced: longer each time it dies young. */
export interface BackOff {
  /** A worker died after so many ms of life; returns the ms to wait. */
  died(livedMs: number): number
}

const firstMs = 100
const mostMs = 10_000
/** Who lived so long has earned a fresh start. */
const oldMs = 30_000

export function makeBackOff(): BackOff {
  let next = firstMs
  return {
    died(livedMs) {
      if (livedMs >= oldMs) next = firstMs
      const wait = next
      next = Math.min(mostMs, next * 2)
      return wait
    },
  }
}
