/** The limiters behind the HTTP gateways of this folder. A limiter holds the state of one key, counters those of all keys. */
import type { Maybe, Millis } from '@turnpike/core/lib'
import { byKey } from '../limiters/by-key.ts'

/** `count` requests in `periodMs`; buckets hold up to `burst`, by default `count`. Whole numbers above 0. */
export interface GatewayLimit {
  readonly count: number
  readonly periodMs: Millis
  readonly burst?: number | undefined
}

export interface Decision {
  readonly allowed: boolean
  /** Requests that are still admitted at this instant. */
  readonly remaining: number
  /** When the next request is admitted. */
  readonly retryAt: Millis
  /** When as many requests are admitted as at the beginning. */
  readonly resetAt: Millis
  /** How long an admitted request is delayed. */
  readonly delayMs: Millis
}

/** Decides about a request at `now`. Amount 0 returns the decision without counting the request. */
export interface KeyLimiter {
  take(now: Millis, amount: 0 | 1): Decision
}

export type MakeKeyLimiter = (limit: GatewayLimit) => KeyLimiter

/** Consumes one request of a key. */
export interface Counters {
  take(key: string, now: Millis): Maybe<Decision>
}

/** A limiter per key, each made with the first request of its key. Checks and counts in one step. */
export function makeCounters(make: () => KeyLimiter): Counters {
  const limiterOf = byKey(make)
  return { take: (key, now) => limiterOf(key).take(now, 1) }
}
