/** Dedup keys of this node in memory, bounded in number because keys without a lifetime would accumulate. */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../ports/clock.ts'
import type { DedupKeys } from '../ports/dedup-keys.ts'

/** Keeps the newest `max` keys. Default: 100,000. */
export function makeMemoryDedupKeys(clock: Pick<Clock, 'now'>, max = 100_000): DedupKeys {
  // `maxSize` instead of `max`, because lru-cache allocates arrays for `max` entries in advance.
  const ends = new LRUCache<string, number>({ maxSize: max, sizeCalculation: () => 1 })
  return {
    claim(name, lifetimeMs) {
      const now = clock.now()
      const end = ends.get(name)
      if (end !== undefined && end > now) return false
      ends.set(name, lifetimeMs === undefined ? Number.POSITIVE_INFINITY : now + lifetimeMs)
      return true
    },
  } satisfies DedupKeys
}
