/** What a script is asked for a rate, and what its reply means. Rules: docs/reference/redis-counters.md#rate-limit-counters, docs/reference/rate-limits.md#rate-limit-scopes. */
import { entriesKept, type RateLimit, type RateResult } from '@turnpike/core'
import type { Decided } from './decisions.ts'
import type { StoreTime } from './store-time.ts'

export interface RateCall {
  readonly keys: readonly string[]
  readonly args: readonly (string | number)[]
}

/** Longest window that Redis is told, in seconds; about a hundred years. */
const longestSeconds = 3_153_600_000

/**
 * Keys and arguments of `takeRate` in rate-rules.ts; a window of no length counts nothing, so that nobody need be asked.
 * `now`: of Redis, as far as it is known. `insists`: a fixed window counts even where it is not on.
 */
export function rateCall(
  name: string,
  limit: RateLimit,
  amount: number,
  time: StoreTime,
  now = time.now(),
  insists = false,
): RateCall | { readonly taken: RateResult } {
  const most = Math.floor(limit.rate)
  const per = Math.min(Math.floor(limit.per), longestSeconds)
  const wanted = Math.max(1, amount)
  if (per <= 0) {
    const allowed = limit.algorithm === 'sentinel' || wanted <= limitOf(limit)
    const remaining = limit.algorithm === 'rolling' ? Math.max(0, most - amount) : 0
    return { taken: { allowed, remaining, resetAt: time.here() } }
  }
  if (limit.algorithm === 'fixed') {
    const windowMs = per * 1000
    const startedAt = Math.floor(now / windowMs) * windowMs
    const args = ['fixed', amount, most, startedAt + windowMs, insists ? 0 : windowMs]
    return { keys: [`${name}/${startedAt}000000`], args }
  }
  const kept = Math.max(most, entriesKept)
  if (limit.algorithm === 'sentinel') {
    return { keys: [name, `${name}.BLOCKED`], args: ['sentinel', amount, per, most, kept] }
  }
  return { keys: [name], args: ['rolling', amount, per, limitOf(limit), kept] }
}

/** Requests that pass in a window. */
export function limitOf({ rate, oneLess, algorithm }: RateLimit): number {
  return Math.floor(rate) - (oneLess && algorithm === 'rolling' ? 1 : 0)
}

/** What came of it, in the words of the port. `most`: what stands in place of the rate. */
export function takenOf(
  limit: RateLimit,
  amount: number,
  { allowed, before, opensInMs }: Pick<Decided, 'allowed' | 'before' | 'opensInMs'>,
  time: StoreTime,
  most = Math.floor(limit.rate),
): RateResult {
  const isAllowed = allowed === 1
  if (limit.algorithm !== 'rolling') return { allowed: isAllowed, remaining: 0, resetAt: time.here() + opensInMs }
  const remaining = Math.max(0, most - before - amount)
  const isOpen = isAllowed && remaining > 0
  return { allowed: isAllowed, remaining, resetAt: time.here() + (isOpen ? 0 : opensInMs) }
}
