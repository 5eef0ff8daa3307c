/**
 * Sliding counter: two counts approximate a rolling log. The requests of the previous window are assumed to be spread
 * evenly, so their count is weighted by the share of that window that a trailing window still covers.
 */
import type { Millis } from '@turnpike/core/lib'
import { aWholeNumber, checkOptions } from '../check-input.ts'
import type { Limiter } from './limiter.ts'

/** `most` requests in any `windowMs`, both whole numbers above 0. Windows begin at multiples of `windowMs` since the epoch. */
export interface SlidingLimit {
  readonly most: number
  readonly windowMs: Millis
}

/** The estimated count. `estimate` is `current + previous × (1 − elapsed / windowMs)`. */
export interface SlidingEstimate {
  readonly estimate: number
  readonly previous: number
  readonly current: number
  readonly elapsedMs: Millis
}

/** A sliding counter; only admitted requests are counted. */
export interface SlidingCounter extends Limiter {
  estimate(now: Millis): SlidingEstimate
}

/** Makes an empty counter, or one that continues from `kept`: the numbers of another counter's state. */
export function makeSlidingCounter(limit: SlidingLimit, kept: readonly number[] = []): SlidingCounter {
  const above0 = aWholeNumber(1)
  checkOptions('makeSlidingCounter', limit, { most: above0, windowMs: above0 }, ['most', 'windowMs'])
  const { most, windowMs } = limit
  let [startedAt = Number.NEGATIVE_INFINITY, previous = 0, current = 0, seenAt = Number.NEGATIVE_INFINITY] = kept

  const viewAt = (at: Millis) => {
    const start = at - (((at % windowMs) + windowMs) % windowMs)
    if (start <= startedAt) return { start: startedAt, previous, current }
    return { start, previous: start - startedAt === windowMs ? current : 0, current: 0 }
  }

  return {
    state() {
      if (previous === 0 && current === 0) return undefined
      const forgettableAt = startedAt + (current > 0 ? 2 : 1) * windowMs
      return { numbers: [startedAt, previous, current, seenAt], forgettableAt }
    },
    estimate(now) {
      const at = Math.max(now, seenAt)
      const view = viewAt(at)
      const elapsedMs = at - view.start
      const estimate = view.current + (view.previous * (windowMs - elapsedMs)) / windowMs
      return { estimate, previous: view.previous, current: view.current, elapsedMs }
    },
    take(now, amount) {
      const at = Math.max(now, seenAt)
      const view = viewAt(at)
      const cost = Math.max(1, amount)
      // Counts in window lengths, so that the weight needs no division.
      const weighed = view.current * windowMs + view.previous * (windowMs - (at - view.start))
      const allowed = weighed + cost * windowMs <= most * windowMs
      const counted = allowed ? amount : 0
      if (amount > 0) {
        startedAt = view.start
        previous = view.previous
        current = view.current + counted
        seenAt = at
      }
      const left = Math.floor((most * windowMs - weighed) / windowMs) - counted
      return {
        allowed,
        remaining: Math.max(0, left),
        resetAt: allowed ? now : opensAt(view.start, view.previous, view.current, cost),
      }
    },
  }

  /** The weight of the window before falls until this one ends; after that this one's own weight falls. */
  function opensAt(start: Millis, before: number, here: number, cost: number): Millis {
    const room = most - cost
    if (room < 0) return Number.POSITIVE_INFINITY
    if (here <= room) return start + windowMs - Math.floor(((room - here) * windowMs) / Math.max(1, before))
    return start + 2 * windowMs - Math.floor((room * windowMs) / here)
  }
}
