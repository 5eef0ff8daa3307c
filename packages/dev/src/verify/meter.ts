/**
 * One limit as a promise, in its plainest form: it hears of requests and tells which may pass. Held against the engine,
 * so nothing of the engine's is in it; slow and simple on purpose.
 *
 * A clock that steps back never gives anything back: a meter takes the latest time that it has heard for now.
 */
import type { Millis, RateAlgorithm } from '@turnpike/core'
import type { Amount } from './limits-of-key.ts'

export type MeterKind = RateAlgorithm | 'quota'

export interface Said {
  readonly allowed: boolean
  /** Requests that count against the limit at this moment, this one left out. */
  readonly used: number
}

/** One counter. The limit is told each time, since keys share counters under limits of their own. */
export interface Meter {
  ask(now: Millis, limit: Amount): Said
  /** A write of the key gives all of it back. */
  forget(): void
}

export function makeMeter(kind: MeterKind, oneLess: boolean): Meter {
  if (kind === 'quota') return periodMeter(true)
  if (kind === 'local') return periodMeter(false)
  if (kind === 'fixed') return alignedMeter()
  return kind === 'rolling' ? logMeter(oneLess) : markMeter()
}

/**
 * The whole number of requests and the time that a promise comes to: "one and a half in a second" is one in a second,
 * "a half in a second" one in two.
 */
export function wholeAmount({ count, seconds }: Amount): { readonly most: number; readonly windowMs: Millis } {
  if (count >= 1) return { most: Math.floor(count), windowMs: seconds * 1000 }
  return { most: 1, windowMs: (seconds / count) * 1000 }
}

/** A period begins with the first request after the last one; whoever comes too late in it is refused. */
function periodMeter(endless: boolean): Meter {
  let latest = Number.NEGATIVE_INFINITY
  let endsAt = Number.NEGATIVE_INFINITY
  let used = 0
  return {
    ask(now, limit) {
      latest = Math.max(latest, now)
      const { most, windowMs } = wholeAmount({ count: limit.count, seconds: Math.max(limit.seconds, 0) })
      if (latest >= endsAt) {
        used = 0
        endsAt = endless && limit.seconds <= 0 ? Number.POSITIVE_INFINITY : latest + windowMs
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

/** Windows stand at multiples of their length. */
function alignedMeter(): Meter {
  let window = Number.NEGATIVE_INFINITY
  let used = 0
  return {
    ask(now, limit) {
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

/** Every request is noted, refused ones too; those of the last window count. */
function logMeter(oneLess: boolean): Meter {
  let times: Millis[] = []
  let latest = Number.NEGATIVE_INFINITY
  return {
    ask(now, limit) {
      latest = Math.max(latest, now)
      const { most, windowMs } = wholeAmount(limit)
      times = times.filter((time) => time > latest - windowMs)
      const used = times.length
      times.push(latest)
      return { allowed: used < (oneLess ? most - 1 : most), used }
    },
    forget() {},
  }
}

/** The request that reaches the limit shuts the door for a whole window. */
function markMeter(): Meter {
  let times: Millis[] = []
  let latest = Number.NEGATIVE_INFINITY
  let shutUntil = Number.NEGATIVE_INFINITY
  return {
    ask(now, limit) {
      latest = Math.max(latest, now)
      const { most, windowMs } = wholeAmount(limit)
      times = times.filter((time) => time > latest - windowMs)
      const used = times.length
      times.push(latest)
      const allowed = latest >= shutUntil
      if (allowed && used + 1 >= most) shutUntil = latest + windowMs
      return { allowed, used }
    },
    forget() {},
  }
}
