/**
 * A minimal model of one limit that decides which requests pass. The engine is compared with it, so it shares no code
 * with the engine and favours simplicity over speed. A meter treats the latest time that it has seen as the current
 * time, so a clock that steps back never restores capacity; the window of the limiter `local` then starts again.
 */
import type { Millis } from '@turnpike/core/lib'
import type { RateAlgorithm } from '@turnpike/core/ports'
import type { Amount } from './limits-of-key.ts'

export type MeterKind = RateAlgorithm | 'quota'

/** The decision about one request. */
export interface MeterDecision {
  readonly allowed: boolean
  /** Number of earlier requests that count against the limit now. */
  readonly used: number
}

/** One counter. Each call passes the limit, because keys with different limits can share a counter. */
export interface Meter {
  consume(now: Millis, limit: Amount): MeterDecision
  /** Resets the counter, as writing the key does. */
  forget(): void
}

export function makeMeter(kind: MeterKind, oneLess: boolean): Meter {
  if (kind === 'quota') return periodMeter()
  if (kind === 'local') return windowMeter()
  if (kind === 'fixed') return alignedMeter()
  return kind === 'rolling' ? logMeter(oneLess) : markMeter()
}

/**
 * Returns the guarantee as an integer number of requests and a time: 1.5 requests per second guarantee one in a
 * second, 0.5 requests per second guarantee one in two seconds.
 */
export function wholeAmount({ count, seconds }: Amount): { readonly most: number; readonly windowMs: Millis } {
  if (count >= 1) return { most: Math.floor(count), windowMs: seconds * 1000 }
  return { most: 1, windowMs: (seconds / count) * 1000 }
}

/** Returns the maximum number of requests that a limit allows in a time in seconds, in the long run. */
export function capacity({ count, seconds }: Amount, within: number): number {
  return seconds <= 0 ? count : count * Math.max(1, within / seconds)
}

/**
 * A period begins with the first request after the previous period ended. Requests beyond the quota are rejected
 * until the period ends.
 */
function periodMeter(): Meter {
  let latest = Number.NEGATIVE_INFINITY
  let endsAt = Number.NEGATIVE_INFINITY
  let used = 0
  return {
    consume(now, limit) {
      latest = Math.max(latest, now)
      const { most, windowMs } = wholeAmount({ count: limit.count, seconds: Math.max(limit.seconds, 0) })
      if (latest >= endsAt) {
        used = 0
        endsAt = limit.seconds <= 0 ? Number.POSITIVE_INFINITY : latest + windowMs
      }
      const before = used
      if (before < most) used += 1
      return { allowed: before < most, used: before }
    },
    forget() {
      endsAt = Number.NEGATIVE_INFINITY
    },
  }
}

/**
 * A window begins with the first request after the previous one. If the clock steps back by more than a window, it begins
 * again, with what it has left.
 */
function windowMeter(): Meter {
  let beganAt = Number.NEGATIVE_INFINITY
  let used = 0
  return {
    consume(now, limit) {
      const { most, windowMs } = wholeAmount(limit)
      if (now >= beganAt + windowMs) [beganAt, used] = [now, 0]
      else if (beganAt - now > windowMs) beganAt = now
      const before = used
      if (before < most) used += 1
      return { allowed: before < most, used: before }
    },
    forget() {
      beganAt = Number.NEGATIVE_INFINITY
    },
  }
}

/** Windows begin at multiples of their length. */
function alignedMeter(): Meter {
  let window = Number.NEGATIVE_INFINITY
  let used = 0
  return {
    consume(now, limit) {
      const { most, windowMs } = wholeAmount(limit)
      const here = Math.floor(now / windowMs)
      if (here > window) [window, used] = [here, 0]
      const before = used
      used += 1
      return { allowed: before < most, used: before }
    },
    forget() {},
  }
}

/** Every request of the last window counts, rejected ones too. */
function logMeter(oneLess: boolean): Meter {
  const log = makeRequestLog()
  return {
    consume(now, limit) {
      const { used, most } = log(now, limit)
      return { allowed: used < (oneLess ? most - 1 : most), used }
    },
    forget() {},
  }
}

/** The request that reaches the limit blocks all requests for a whole window. */
function markMeter(): Meter {
  const log = makeRequestLog()
  let shutUntil = Number.NEGATIVE_INFINITY
  return {
    consume(now, limit) {
      const { latest, windowMs, used, most } = log(now, limit)
      const allowed = latest >= shutUntil
      if (allowed && used + 1 >= most) shutUntil = latest + windowMs
      return { allowed, used }
    },
    forget() {},
  }
}

/**
 * Returns a function that adds a request and returns how many requests of the last window came before it, and how many
 * the limit allows.
 */
function makeRequestLog() {
  let times: Millis[] = []
  let latest = Number.NEGATIVE_INFINITY
  const smoothed = makeAllowance()
  return (now: Millis, limit: Amount) => {
    latest = Math.max(latest, now)
    const { windowMs } = wholeAmount(limit)
    times = times.filter((time) => time > latest - windowMs)
    const used = times.length
    const most = smoothed(latest, limit, used)
    times.push(latest)
    return { latest, windowMs, used, most }
  }
}

/**
 * Returns a function for the number of requests that a limit allows now: that of the limit, or the smoothed allowance
 * (docs/reference/rate-limits.md#smoothing). `used` is the number of requests in the window.
 */
function makeAllowance(): (now: Millis, limit: Amount, used: number) => number {
  let allowance: number | undefined
  let changesFrom = Number.NEGATIVE_INFINITY
  return (now, limit, used) => {
    const { most } = wholeAmount(limit)
    if (limit.smoothing === undefined) return most
    const { threshold, trigger, step, delay } = limit.smoothing
    const least = Math.min(threshold, most)
    if (allowance === undefined) {
      allowance = least
      changesFrom = now + delay * 1000
    } else if (now >= changesFrom) {
      const before = allowance
      if (used >= before - trigger * step) allowance = Math.min(most, before + step)
      else if (used <= before - step - trigger * step) allowance = Math.max(least, before - step)
      if (allowance !== before) changesFrom = now + delay * 1000
    }
    return Math.floor(Math.min(most, allowance))
  }
}
