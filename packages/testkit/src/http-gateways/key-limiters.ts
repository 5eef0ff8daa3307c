/** Correct limiters of each kind that gateways commonly have. */
import type { Millis } from '@turnpike/core/lib'
import type { Limiter } from '../limiters/limiter.ts'
import { makeSlidingCounter } from '../limiters/sliding-counter.ts'
import { makeTokenBucket } from '../limiters/token-bucket.ts'
import type { Decision, KeyLimiter, MakeKeyLimiter } from './key-limiter.ts'

/**
 * `fixed-window`: windows at multiples of the period. `window-from-first`: a window begins with the first request after
 * the previous window. `sliding-window`: two windows approximate a rolling log. `rolling-log`: the exact count of the
 * last period. `token-bucket`: rejects without a token. `leaky-bucket`: delays requests to even distances and
 * rejects those that find `burst` requests in its queue.
 */
export type LimiterKind = keyof typeof keyLimiters

export const keyLimiters = {
  'fixed-window': ({ count, periodMs }) => makeWindow(count, periodMs, (now) => now - (now % periodMs)),
  'window-from-first': ({ count, periodMs }) => makeWindow(count, periodMs, (now) => now),
  'sliding-window': ({ count, periodMs }) => ofTextbook(makeSlidingCounter({ most: count, windowMs: periodMs })),
  'rolling-log': makeRollingLog,
  'token-bucket': ({ count, periodMs, burst = count }) => ofTextbook(makeTokenBucket({ count, periodMs, burst })),
  'leaky-bucket': makeDelayingBucket,
} satisfies Record<string, MakeKeyLimiter>

/** Counts admitted requests in windows. `beginAt` returns the begin of a new window for the instant of a request. */
function makeWindow(count: number, periodMs: Millis, beginAt: (now: Millis) => Millis): KeyLimiter {
  let startedAt = Number.NEGATIVE_INFINITY
  let used = 0
  return {
    take(now, amount) {
      if (now >= startedAt + periodMs) {
        startedAt = beginAt(now)
        used = 0
      }
      const allowed = used < count
      if (allowed) used += amount
      const resetAt = startedAt + periodMs
      return { allowed, remaining: count - used, retryAt: used < count ? now : resetAt, resetAt, delayMs: 0 }
    },
  }
}

/** A textbook limiter; `resetAt` of its result is the time of the next admission. */
function ofTextbook(limiter: Limiter): KeyLimiter {
  return {
    take(now, amount) {
      const { allowed, remaining } = limiter.take(now, amount)
      const { resetAt: retryAt } = limiter.take(now, 0)
      return { allowed, remaining, retryAt, resetAt: limiter.state()?.forgettableAt ?? now, delayMs: 0 }
    },
  }
}

function makeRollingLog({ count, periodMs }: Parameters<MakeKeyLimiter>[0]): KeyLimiter {
  let log: Millis[] = []
  return {
    take(now, amount) {
      log = log.filter((at) => at > now - periodMs)
      const allowed = log.length < count
      if (allowed && amount > 0) log.push(now)
      const resetAt = (log.at(-1) ?? now - periodMs) + periodMs
      const retryAt = log.length < count ? now : (log[0] as Millis) + periodMs
      return { allowed, remaining: count - log.length, retryAt, resetAt, delayMs: 0 }
    },
  }
}

/** A queue of at most `burst` requests; a request leaves it every `periodMs / count`, the first one at once. */
function makeDelayingBucket({ count, periodMs, burst = count }: Parameters<MakeKeyLimiter>[0]): KeyLimiter {
  const distanceMs = periodMs / count
  let nextAt = Number.NEGATIVE_INFINITY
  // Instants are rounded to fractions of a millisecond.
  const toleranceMs = 0.01
  const roomAt = (now: Millis) => Math.floor(burst - (Math.max(0, nextAt - now) - toleranceMs) / distanceMs)
  return {
    take(now, amount): Decision {
      const delayMs = Math.max(0, nextAt - now)
      const allowed = roomAt(now) >= 1
      if (allowed && amount > 0) nextAt = Math.max(now, nextAt) + distanceMs
      return {
        allowed,
        remaining: Math.min(burst, roomAt(now)),
        retryAt: Math.max(now, Math.ceil(nextAt - (burst - 1) * distanceMs - toleranceMs)),
        resetAt: Math.max(now, Math.ceil(nextAt)),
        delayMs: allowed ? Math.ceil(delayMs) : 0,
      }
    },
  }
}
