/**
 * The interface of the textbook limiters in this folder: sliding counter, token bucket, GCRA, leaky meter. The gateway
 * does not use them. They serve comparisons with other limiters, and the properties use them as models. They calculate
 * with integers, so that equal rules give equal decisions.
 */
import type { Millis } from '@turnpike/core/lib'
import type { RateResult } from '@turnpike/core/ports'
import { aWholeNumber, checkOptions } from '../check-input.ts'

/** `count` requests in `periodMs`, at most `burst` at once; whole numbers above 0. */
export interface FlowLimit {
  readonly count: number
  readonly periodMs: Millis
  readonly burst: number
}

/** Throws an `InputError` that names what is wrong. `fn`: the function that got the limit. */
export function checkFlowLimit(fn: string, limit: FlowLimit): void {
  const [above0, names] = [aWholeNumber(1), ['count', 'periodMs', 'burst'] as const]
  checkOptions(fn, limit, { count: above0, periodMs: above0, burst: above0 }, names)
}

/**
 * One counter of a limiter. `take` requests admission of `amount` requests at an instant in whole milliseconds; amount
 * 0 reads without counting. If the time steps back, nothing more is admitted. `resetAt` is the time at which the same
 * request would be admitted: `now` if it was, `Infinity` if it exceeds the capacity of the limiter.
 */
export interface Limiter {
  take(now: Millis, amount: number): RateResult
  /** Returns the state to store between calls, or `undefined` if it equals that of a new limiter. */
  state(): LimiterState | undefined
}

/** The state of a limiter. A limiter of the same limit that is made with these numbers continues from this state. */
export interface LimiterState {
  /** Whole numbers, all finite. */
  readonly numbers: readonly number[]
  /** Time from which the state equals that of a new limiter, unless the clock steps back. */
  readonly forgettableAt: Millis
}
