/** Arguments and result of the rate scripts. Source: docs/reference/redis-counters.md#rate-limit-counters. */
import type { RateLimit, RateResult } from '@turnpike/core/ports'
import { entriesKept } from '@turnpike/core/rate-limit'
import type { DecisionReply } from './batch-decisions.ts'
import type { StoreTime } from './store-time.ts'

export interface RateScriptArguments {
  readonly keys: readonly string[]
  readonly args: readonly (string | number)[]
}

/** Maximum length of a window and of a quota period: about a hundred years. */
export const maxSeconds = 3_153_600_000

/**
 * Builds keys and arguments of `consumeRate` in rate-rules.ts. A window of length 0 counts nothing, so its result is returned
 * without a call. `now`: the estimated time of Redis. `insists`: count in the given fixed window even if it is not current.
 */
export function rateScriptArguments(
  name: string,
  limit: RateLimit,
  amount: number,
  time: StoreTime,
  now = time.now(),
  insists = false,
): RateScriptArguments | { readonly result: RateResult } {
  const max = Math.floor(limit.rate)
  const per = Math.min(Math.floor(limit.per), maxSeconds)
  const wanted = Math.max(1, amount)
  if (per <= 0) {
    const allowed = limit.algorithm === 'sentinel' || wanted <= limitOf(limit)
    const remaining = limit.algorithm === 'sentinel' ? 0 : Math.max(0, max - amount)
    return { result: { allowed, remaining, resetAt: time.here() } }
  }
  if (limit.algorithm === 'fixed') {
    const windowMs = per * 1000
    const startedAt = Math.floor(now / windowMs) * windowMs
    const args = ['fixed', amount, max, startedAt + windowMs, insists ? 0 : windowMs]
    return { keys: [`${name}/${startedAt}000000`], args }
  }
  const kept = Math.max(max, entriesKept)
  if (limit.algorithm === 'sentinel') {
    return { keys: [name, `${name}.BLOCKED`], args: ['sentinel', amount, per, max, kept] }
  }
  return { keys: [name], args: ['rolling', amount, per, limitOf(limit), kept] }
}

/** Number of requests allowed per window. */
export function limitOf({ rate, oneLess, algorithm }: RateLimit): number {
  return Math.floor(rate) - (oneLess && algorithm === 'rolling' ? 1 : 0)
}

/** Converts a reply to a result. `max`: the allowance that replaces the rate. */
export function rateResultOf(
  limit: RateLimit,
  amount: number,
  { allowed, before, opensInMs }: Pick<DecisionReply, 'allowed' | 'before' | 'opensInMs'>,
  time: StoreTime,
  max = Math.floor(limit.rate),
): RateResult {
  const isAllowed = allowed === 1
  if (limit.algorithm === 'sentinel') return { allowed: isAllowed, remaining: 0, resetAt: time.here() + opensInMs }
  const remaining = Math.max(0, max - before - amount)
  if (limit.algorithm === 'fixed') return { allowed: isAllowed, remaining, resetAt: time.here() + opensInMs }
  const isOpen = isAllowed && remaining > 0
  return { allowed: isAllowed, remaining, resetAt: time.here() + (isOpen ? 0 : opensInMs) }
}
