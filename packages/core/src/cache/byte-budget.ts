/**
 * Bytes of answers that are being gathered on their way to clients. One answer is bounded by itself; this bounds all
 * of them together, so that many slow readers of cacheable answers cannot fill the memory.
 */
export interface ByteBudget {
  /** False: there is no room for so many more. */
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

export function makeByteBudget(limit: number): ByteBudget {
  let taken = 0
  return {
    take(bytes) {
      if (taken + bytes > limit) return false
      taken += bytes
      return true
    },
    giveBack(bytes) {
      taken -= bytes
    },
  }
}
