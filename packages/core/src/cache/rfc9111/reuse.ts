/** Whether the cache may serve a stored response without revalidation (RFC 9111, 4 and 5.2.1; RFC 5861). */
import type { Millis } from '../../ports/clock.ts'
import type { OriginFacts } from '../../ports/origin-facts.ts'
import type { CacheControl } from './cache-control.ts'
import { ageOf, freshnessLeft } from './freshness.ts'

/** `serve-while-revalidating`: the cache may serve it while a background request revalidates it. */
export type Reuse = 'serve' | 'serve-while-revalidating' | 'revalidate'

export function decideReuse(facts: OriginFacts, request: CacheControl, now: Millis): Reuse {
  if (facts.alwaysAsk || request.noCache) return 'revalidate'
  const left = freshnessLeft(facts, now)
  if (request.maxAge !== undefined && ageOf(facts, now) > request.maxAge * 1000) return 'revalidate'
  if (request.minFresh !== undefined && left < request.minFresh * 1000) return 'revalidate'
  if (left > 0) return 'serve'
  if (facts.neverStale) return 'revalidate'
  if (request.maxStale !== undefined && -left <= request.maxStale * 1000) return 'serve'
  return -left <= facts.staleWhileMs && facts.staleWhileMs > 0 ? 'serve-while-revalidating' : 'revalidate'
}

/**
 * Whether the cache may serve the response instead of an error of the upstream. The response or the request can allow it
 * with `stale-if-error`.
 */
export function mayReplaceError(facts: OriginFacts, request: CacheControl, now: Millis): boolean {
  const allowedMs = Math.max(facts.staleOnErrorMs, (request.staleIfError ?? 0) * 1000)
  if (facts.neverStale || facts.alwaysAsk || allowedMs <= 0) return false
  return -freshnessLeft(facts, now) <= allowedMs
}

/** Whether a status is an error that `stale-if-error` covers (RFC 5861, 4). */
export function isServerError(status: number): boolean {
  return status === 500 || status === 502 || status === 503 || status === 504
}

/** How long a stale response with a validator stays in the cache, so that it can be revalidated. */
const revalidationMs = 3_600_000

/** How long the response can still be useful, from now. */
export function usefulMs(facts: OriginFacts, hasValidator: boolean, now: Millis): Millis {
  const stale = facts.neverStale ? 0 : Math.max(facts.staleWhileMs, facts.staleOnErrorMs)
  return Math.max(0, freshnessLeft(facts, now)) + Math.max(stale, hasValidator ? revalidationMs : 0)
}
