/** Background requests that refresh stale responses: at most one for each cache key, and a bounded number together. */
export interface Refreshes {
  /** Returns false if a refresh of the key is running, or if too many others are. Otherwise `finish` must follow. */
  tryStart(cacheKey: string): boolean
  finish(cacheKey: string): void
}

/** `max`: number of refreshes that may run at the same time. */
export function makeRefreshes(max: number): Refreshes {
  const running = new Set<string>()
  return {
    tryStart(cacheKey) {
      if (running.size >= max || running.has(cacheKey)) return false
      running.add(cacheKey)
      return true
    },
    finish(cacheKey) {
      running.delete(cacheKey)
    },
  }
}
