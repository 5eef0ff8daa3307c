/**
 * The interface of the textbook limiters in this folder: sliding counter, token bucket, GCRA, leaky meter. The gateway
 * does not use them. They serve comparisons with other limiters, and the properties use them as models. They calculate
 * with integers, so that equal rules give equal decisions.
 */
import type { Millis, RateResult } from '@turnpike/core'

/** `count` requests in `periodMs`, at most `burst` at once; whole numbers above 0. */
export interface FlowLimit {
  readonly count: number
  readonly periodMs: Millis
  readonly burst: number
}

/**
 * One counter of a limiter. `take` asks for `amount` requests at an instant in whole milliseconds; amount 0 only
 * looks. Instants may step back: nothing more is admitted for it. `resetAt` is when the same request would pass:
 * `now` when it did, `Infinity` when it is larger than the limiter ever holds.
 */
export interface Limiter {
  take(now: Millis, amount: number): RateResult
  /** What is to be kept where the limiter does not live as long as its counter; `undefined`: nothing. */
  state(): LimiterState | undefined
}

/** What a limiter knows of the past: whoever makes one of the same limit with these numbers goes on where it was. */
export interface LimiterState {
  /** Whole numbers, all finite. */
  readonly numbers: readonly number[]
  /** From then on it is as good as a fresh one, as long as the clock does not step back. */
  readonly forgettableAt: Millis
}
