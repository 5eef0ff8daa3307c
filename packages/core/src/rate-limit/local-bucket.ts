/**
 * The default limiter of a single node: a bucket that is filled up again at the end of its window.
 * Source: docs/reference/rate-limits.md#in-memory-limiter.
 */
import type { Millis } from '../ports/clock.ts'
import type { RateResult } from '../ports/rate-limit.ts'

/** State of one bucket. Changed in place by `decideLocal`. */
export interface LocalBucket {
  readonly algorithm: 'local'
  /** When the window's first request came; `-Infinity` before the first. */
  startedAt: Millis
  /** Tokens used in this window. What is left is worked out from the limit, so a changed limit counts at once. */
  tokensUsed: number
  /** Length of the window when it was last asked; with `startedAt` it tells when the bucket is full anyway. */
  windowMs: Millis
}

/** Tokens of one request on one node: two digits behind the point of a rate make a difference between nodes. */
const tokensPerRequest = 100

/** A full bucket. */
export function freshBucket(): LocalBucket {
  return { algorithm: 'local', startedAt: Number.NEGATIVE_INFINITY, tokensUsed: 0, windowMs: 0 }
}

/**
 * Takes `amount` requests out of the bucket when they are in it; else nothing changes. Amount 0 only looks.
 * Rate and `per` (seconds) are cut as recorded: ⌊rate⌋ requests, at least one, in ⌊per⌋ seconds; below one second
 * there is no limit in practice. With `nodes` > 1 each node lets its share through.
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
  const startedAt = over ? now : bucket.startedAt
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
