/** The state of one counter, with its rate and its quota, and decisions on it. Stores that count in this process use it. */
import type { Millis } from '../ports/clock.ts'
import type { RateLimit, RateResult } from '../ports/rate-limit.ts'
import type { Counter } from '../ports/store.ts'
import { hasPeriodEnded, type QuotaCounter } from '../quota/decide-quota.ts'
import { decideRate, freshRate, type RateCounter, rateEndsAt } from '../rate-limit/decide-rate.ts'
import { decideLocal, type LocalBucket } from '../rate-limit/local-bucket.ts'

/**
 * Expired counters are kept for this long, so that a clock that steps back by less still finds the old window and
 * admits no more than without the step (property 9).
 */
export const keptAfterEndMs = 60_000

/** A counter whose limit changes its algorithm starts a new window; with `local`, so does a new `generation`. */
export function decideRateOf(
  state: CounterState,
  counter: Counter,
  limit: RateLimit,
  amount: number,
  now: Millis,
): RateResult {
  if (limit.algorithm === 'local') {
    const isSame = state.otherRate === undefined && state.generation === counter.generation
    const bucket = isSame || amount > 0 ? state : new CounterState()
    if (!isSame && amount > 0) {
      state.otherRate = undefined
      state.restartBucket(counter.generation)
    }
    return decideLocal(bucket, now, limit.rate, limit.per, amount)
  }
  const held = state.otherRate
  const rate = held !== undefined && held.algorithm === limit.algorithm ? held : freshRate(limit.algorithm)
  if (amount > 0) state.otherRate = rate
  return decideRate(rate, now, limit, amount)
}

/**
 * The rate and the quota of one counter in one object to save memory: about 150 bytes per key, including the entry in
 * the map.
 */
export class CounterState implements LocalBucket, QuotaCounter {
  readonly algorithm = 'local'
  generation = ''
  startedAt: Millis = Number.NEGATIVE_INFINITY
  tokensUsed = 0
  windowMs: Millis = 0
  /** State of the rate if its algorithm is not `local`; the fields of the bucket are unused then. */
  otherRate: RateCounter | undefined = undefined
  /** Requests in the quota period. */
  used = 0
  renewsAt: Millis | undefined = undefined

  /** Starts a new window with an unused bucket. */
  restartBucket(generation: string): void {
    this.generation = generation
    this.startedAt = Number.NEGATIVE_INFINITY
    this.tokensUsed = 0
    this.windowMs = 0
  }

  /** Returns true if a new state would give the same results from `now` on. */
  isOver(now: Millis): boolean {
    return rateEndsAt(this.otherRate ?? this) <= now && (this.used === 0 || hasPeriodEnded(this, now))
  }
}
