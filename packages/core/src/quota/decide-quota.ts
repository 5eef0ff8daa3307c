/**
 * Decides whether a request is within its quota, from the state of the counter and the time. The stores that count in
 * this process (memory and LMDB) keep the states and call `decideQuota`. Redis decides with the Lua script in
 * packages/adapters/src/store-redis/scripts/quota-fragment.ts; change both together. No timer renews a quota: the first
 * request that counts after `renewsAt` starts a new period. Source: docs/reference/quotas.md#quota-counting. For a key
 * whose renewal rate was changed, all stores follow the rules of Redis:
 * docs/reference/redis-counters.md#quota-counters.
 */
import type { Millis } from '../ports/clock.ts'
import type { QuotaLimit, QuotaResult } from '../ports/quota.ts'

/** State of one quota counter; `used` 0 means that no period has started. Changed in place by `decideQuota`. */
export interface QuotaCounter {
  used: number
  /** End of the period in ms; `undefined`: it never ends. */
  renewsAt: Millis | undefined
}

/** Makes a counter that has counted nothing. */
export function freshQuota(): QuotaCounter {
  return { used: 0, renewsAt: undefined }
}

/** Returns true if the counter's period has ended, so that its count no longer applies. */
export function hasPeriodEnded(counter: QuotaCounter, now: Millis): boolean {
  return counter.renewsAt !== undefined && now >= counter.renewsAt
}

/**
 * Counts `amount` requests, including rejected ones, and returns whether they are within the limit. Amount 0 changes
 * nothing and returns whether one more request would be allowed.
 * The end of a period is fixed when the period starts: rejected requests do not extend it, and a clock that steps back
 * only makes the period longer.
 */
export function decideQuota(counter: QuotaCounter, now: Millis, limit: QuotaLimit, amount: number): QuotaResult {
  const renews = limit.renewalSeconds > 0
  // A counter without an end was started under a limit that never renews. If the limit renews now, a new period starts;
  // otherwise the counter would never be reset.
  const running = counter.used > 0 && !hasPeriodEnded(counter, now) && !(counter.renewsAt === undefined && renews)
  if (amount === 0) {
    const used = running ? counter.used : 0
    return {
      allowed: used < limit.max,
      remaining: Math.max(0, limit.max - used),
      renewsAt: running ? counter.renewsAt : undefined,
    }
  }
  if (!running) {
    counter.used = 0
    counter.renewsAt = renews ? now + limit.renewalSeconds * 1000 : undefined
  }
  counter.used += amount
  return {
    allowed: counter.used <= limit.max,
    remaining: Math.max(0, limit.max - counter.used),
    renewsAt: counter.renewsAt,
  }
}
