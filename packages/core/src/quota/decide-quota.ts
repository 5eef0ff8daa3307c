/**
 * The quota's decision on (state, now). It knows no names, keys or HTTP; stores keep the states and call it.
 * Source: docs/reference/quotas.md#quota-counting; what happens when only the renewal rate of a key changes follows
 * docs/reference/redis-counters.md#quota-counters, so that every store decides alike.
 */
import type { Millis } from '../ports/clock.ts'
import type { QuotaLimit, QuotaResult } from '../ports/quota.ts'

/** State of one quota counter; `used` 0 means that no period has begun. Changed in place by `decideQuota`. */
export interface QuotaCounter {
  used: number
  /** In ms; `undefined`: this period never ends. */
  renewsAt: Millis | undefined
}

/** A counter on which nothing was counted yet. */
export function freshQuota(): QuotaCounter {
  return { used: 0, renewsAt: undefined }
}

/** Whether the counter's period is over, so that it stands for nothing any more. */
export function isQuotaOver(counter: QuotaCounter, now: Millis): boolean {
  return counter.renewsAt !== undefined && now >= counter.renewsAt
}

/**
 * Counts `amount` requests, refused ones too, and tells whether they are within the limit. Amount 0 changes nothing
 * and tells whether one more request would pass.
 * The end of a period is an instant, fixed when it begins: refused requests do not put it off, and a clock that
 * steps back only makes the period longer.
 */
export function decideQuota(counter: QuotaCounter, now: Millis, limit: QuotaLimit, amount: number): QuotaResult {
  const renews = limit.renewalSeconds > 0
  // A count without an end cannot go on where the limit renews: it would never be cleared.
  const running = counter.used > 0 && !isQuotaOver(counter, now) && !(counter.renewsAt === undefined && renews)
  if (amount === 0) {
    const used = running ? counter.used : 0
    return {
      allowed: used < limit.max,
      remaining: left(limit.max, used),
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
    remaining: left(limit.max, counter.used),
    renewsAt: counter.renewsAt,
  }
}

function left(max: number, used: number): number {
  return used < max ? max - used : 0
}
