/** Whether a stored answer may be given without asking the upstream (RFC 9111, 4 and 5.2.1; RFC 5861). */
import type { Millis } from '../../ports/clock.ts'
import type { OriginFacts } from '../../ports/origin-facts.ts'
import type { CacheControl } from './cache-control.ts'
import { ageOf, freshnessLeft } from './freshness.ts'

/** `refresh`: it may be given if another request is asking anew. */
export type Reuse = 'give' | 'refresh' | 'ask'

export function decideReuse(facts: OriginFacts, request: CacheControl, now: Millis): Reuse {
  if (facts.alwaysAsk || request.noCache) return 'ask'
  const left = freshnessLeft(facts, now)
  if (request.maxAge !== undefined && ageOf(facts, now) > request.maxAge * 1000) return 'ask'
  if (request.minFresh !== undefined && left < request.minFresh * 1000) return 'ask'
  if (left > 0) return 'give'
  if (facts.neverStale) return 'ask'
  if (request.maxStale !== undefined && -left <= request.maxStale * 1000) return 'give'
  return -left <= facts.staleWhileMs && facts.staleWhileMs > 0 ? 'refresh' : 'ask'
}

/** Whether it may be given in place of an error of the upstream. */
export function mayReplaceError(facts: OriginFacts, now: Millis): boolean {
  if (facts.neverStale || facts.alwaysAsk || facts.staleOnErrorMs <= 0) return false
  return -freshnessLeft(facts, now) <= facts.staleOnErrorMs
}

/** How long a stale answer is kept so that the upstream can be asked whether it still holds. */
const keptForAsking = 3_600_000

/** How long it is worth keeping, from now. */
export function worthKeeping(facts: OriginFacts, hasValidator: boolean, now: Millis): Millis {
  const stale = facts.neverStale ? 0 : Math.max(facts.staleWhileMs, facts.staleOnErrorMs)
  return Math.max(0, freshnessLeft(facts, now)) + Math.max(stale, hasValidator ? keptForAsking : 0)
}
