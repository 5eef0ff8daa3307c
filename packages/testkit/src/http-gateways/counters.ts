/** Limiters by key. */
import type { Maybe, Millis } from '@turnpike/core'
import type { Decision, KeyLimiter } from './key-limiter.ts'

/** Consumes one request of a key. */
export interface Counters {
  take(key: string, now: Millis): Maybe<Decision>
}

/** A limiter per key, each made with the first request of its key. Checks and counts in one step. */
export function makeCounters(make: () => KeyLimiter): Counters {
  const limiterOf = limitersByKey(make)
  return { take: (key, now) => limiterOf(key).take(now, 1) }
}

/** Returns the limiter of a key and makes it on the first call for the key. */
export function limitersByKey<T>(make: () => T): (key: string) => T {
  const byKey = new Map<string, T>()
  return (key) => {
    const limiter = byKey.get(key) ?? make()
    byKey.set(key, limiter)
    return limiter
  }
}
