/** DedupKeys in memory: of this node, and at most so many, since those without a lifetime would grow for ever. */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../ports/clock.ts'
import type { DedupKeys } from '../ports/dedup-keys.ts'

/** Keeps the last `max` marks (100,000 by default); the oldest of more are forgotten. */
export function makeMemoryDedupKeys(clock: Pick<Clock, 'now'>, max = 100_000): DedupKeys {
  // By size, since by number it makes room for all of them at once.
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
