/** Counters with one seeded bug each. `pauseMs` is how long the imagined database takes. */
import type { Millis } from '@turnpike/core/lib'
import { byKey } from '../limiters/by-key.ts'
import type { Counters, GatewayLimit, KeyLimiter } from './key-limiter.ts'

/** What a faulty counter is made from. */
export interface CounterServices {
  readonly limit: GatewayLimit
  make(): KeyLimiter
  /** Waits for an answer of the imagined database. */
  pause(): Promise<void>
}

/** Reads the counter, waits, and counts: concurrent requests all read the same count. */
export function makeCheckThenCount({ make, pause }: CounterServices): Counters {
  const limiterOf = byKey(make)
  return {
    async take(key, now) {
      const limiter = limiterOf(key)
      const seen = limiter.take(now, 0)
      await pause()
      if (!seen.allowed) return seen
      limiter.take(now, 1)
      return { ...seen, remaining: Math.max(0, seen.remaining - 1) }
    },
  }
}

/** Resets the counter of a new period in two steps: each of several concurrent requests resets it again. */
export function makeResetThenCount({ make, pause, limit }: CounterServices): Counters {
  const stateOf = byKey(() => ({ limiter: make(), renewsAt: Number.NaN }))
  return {
    async take(key, now) {
      const state = stateOf(key)
      if (Number.isNaN(state.renewsAt)) state.renewsAt = now + limit.periodMs
      if (now >= state.renewsAt) {
        await pause()
        state.limiter = make()
        state.renewsAt = now + limit.periodMs
      }
      return state.limiter.take(now, 1)
    },
  }
}

/** Checks a blocked flag only and counts afterwards: a burst is admitted until the count has set the flag. */
export function makeBlockedFlag({ make, pause }: CounterServices): Counters {
  const stateOf = byKey(() => ({ limiter: make(), blockedUntil: Number.NEGATIVE_INFINITY as Millis }))
  return {
    take(key, now) {
      const state = stateOf(key)
      const seen = state.limiter.take(now, 0)
      if (now < state.blockedUntil) return { ...seen, allowed: false, remaining: 0, retryAt: state.blockedUntil }
      void pause().then(() => {
        const counted = state.limiter.take(now, 1)
        if (!counted.allowed || counted.remaining === 0) state.blockedUntil = counted.retryAt
      })
      return { ...seen, allowed: true, delayMs: 0 }
    },
  }
}

/** Forgets a bucket after a rest of two intervals, although it is not full again. */
export function makeForgettingCounters({ make, limit }: CounterServices): Counters {
  const stateOf = byKey(() => ({ limiter: make(), usedAt: Number.NEGATIVE_INFINITY as Millis }))
  const restMs = (2 * limit.periodMs) / limit.count
  return {
    take(key, now) {
      const state = stateOf(key)
      if (now - state.usedAt >= restMs) state.limiter = make()
      state.usedAt = now
      return state.limiter.take(now, 1)
    },
  }
}
