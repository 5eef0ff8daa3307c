/**
 * Leases for `stale-while-revalidate` (RFC 5861, 3): the request that acquires the lease revalidates a stale response,
 * and the others get the stale one.
 */
import type { Millis } from '../../ports/clock.ts'

export interface RefreshLeases {
  /** Whether the caller shall revalidate the response. The lease ends by itself, so a failed attempt blocks nobody. */
  tryAcquire(cacheKey: string, now: Millis): boolean
}

const leaseMs = 5000
const maxLeases = 10_000

export function makeRefreshLeases(): RefreshLeases {
  const leasedUntil = new Map<string, Millis>()
  return {
    tryAcquire(cacheKey, now) {
      if ((leasedUntil.get(cacheKey) ?? 0) > now) return false
      if (leasedUntil.size >= maxLeases) leasedUntil.clear()
      leasedUntil.set(cacheKey, now + leaseMs)
      return true
    },
  }
}
