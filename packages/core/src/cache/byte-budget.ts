/**
 * A limit on the bytes of all response bodies that the cache buffers at one moment. Each body has a limit of its own;
 * without this one, many slow readers of cacheable responses could exhaust the memory.
 */
export interface ByteBudget {
  /** Reserves bytes. Returns false, and reserves nothing, if the budget has no room for them. */
  tryReserve(bytes: number): boolean
  release(bytes: number): void
}

/** Creates a budget of `limit` bytes. */
export function makeByteBudget(limit: number): ByteBudget {
  let reserved = 0
  return {
    tryReserve(bytes) {
      if (reserved + bytes > limit) return false
      reserved += bytes
      return true
    },
    release(bytes) {
      reserved -= bytes
    },
  }
}
