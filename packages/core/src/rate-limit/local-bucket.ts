/**
 * The default limiter of a single node: a bucket that refills completely at the end of its window.
 * Source: docs/reference/rate-limits.md#in-memory-limiter.
 */
import type { Millis } from '../ports/clock.ts'
import type { RateResult } from '../ports/rate-limit.ts'

/** State of one bucket. Changed in place by `decideLocal`. */
export interface LocalBucket {
  readonly algorithm: 'local'
  /** Time of the window's first request; `-Infinity` before it. */
  startedAt: Millis
  /** Tokens used in this window. The remaining tokens follow from the limit, so a changed limit applies at once. */
  tokensUsed: number
  /** Length of the window at the last request. The bucket is full from `startedAt + windowMs` on. */
  windowMs: Millis
}

/** Tokens per request on one node. With 100, nodes can share a rate with two decimals. */
const tokensPerRequest = 100

/** Makes a full bucket. */
export function freshBucket(): LocalBucket {
  return { algorithm: 'local', startedAt: Number.NEGATIVE_INFINITY, tokensUsed: 0, windowMs: 0 }
}

/**
 * Consumes the tokens of `amount` requests if the bucket has them; otherwise nothing changes. Amount 0 reads without
 * counting. As in the original gateway, ⌊rate⌋ requests (at least one) are allowed in ⌊per⌋ seconds; a `per` below one
 * second means no limit. With `nodes` > 1 each node allows its share.
 */
export function decideLocal(
  bucket: LocalBucket,
  now: Millis,
  rate: number,
  per: number,
  amount: number,
  nodes = 1,
): RateResult {
  const cost = tokensPerRequest * nodes
  const capacity = Math.max(Math.floor(rate * tokensPerRequest), cost)
  const windowMs = Math.floor(per) * 1000
  const over = now >= bucket.startedAt + windowMs
  const used = over ? 0 : bucket.tokensUsed
  // After a step back by more than a window, the window starts again now, with the tokens that it has left. Otherwise its
  // clients would be blocked until the clock has caught up.
  const steppedBack = bucket.startedAt - now > windowMs
  const startedAt = over || steppedBack ? now : bucket.startedAt
  const wanted = used + amount * cost
  const allowed = amount === 0 ? used + cost <= capacity : wanted <= capacity
  const usedNow = allowed && amount > 0 ? wanted : used
  if (amount > 0) {
    bucket.startedAt = startedAt
    bucket.tokensUsed = usedNow
    bucket.windowMs = windowMs
  }
  return {
    allowed,
    remaining: Math.max(0, Math.floor((capacity - usedNow) / cost)),
    resetAt: startedAt + windowMs,
  }
}
