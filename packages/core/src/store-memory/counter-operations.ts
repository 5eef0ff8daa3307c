/**
 * Counters with their rate and quota, and the operations on them. The caller keeps the states: in a map, or decoded from a
 * store of several processes.
 */
import type { Clock, Millis } from '../ports/clock.ts'
import type { QuotaResult, QuotaState } from '../ports/quota.ts'
import type { RateLimit, RateResult } from '../ports/rate-limit.ts'
import { type Counter, type CounterId, type CounterStore, counterKey } from '../ports/store.ts'
import { decideQuota, hasPeriodEnded, type QuotaCounter } from '../quota/decide-quota.ts'
import { decideRate, freshRate, type RateCounter, rateEndsAt } from '../rate-limit/decide-rate.ts'
import { decideLocal, type LocalBucket } from '../rate-limit/local-bucket.ts'

/** Counters that return values instead of promises. */
export interface CounterOperations extends CounterStore {
  consume(
    counter: Counter,
    amount: number,
  ): { readonly rate: RateResult | undefined; readonly quota: QuotaResult | undefined }
  readQuota(id: CounterId): QuotaState | undefined
  resetQuotas(ids: readonly CounterId[]): void
  unblock(ids: readonly CounterId[]): void
  /** Counts only against `limit`, which replaces the counter's own rate. */
  consumeRate(counter: Counter, limit: RateLimit, amount: number): RateResult
}

/** Where the states are kept. The operations change a state in place. */
export interface CounterStates {
  get(key: string): CounterState | undefined
  set(key: string, state: CounterState): void
}

/** Called after a quota was counted or reset. The next request changes the same state object. */
export type OnQuotaChange = (key: string, state: CounterState) => void

export function makeCounterOperations(
  states: CounterStates,
  clock: Pick<Clock, 'now'>,
  onQuotaChange: OnQuotaChange | undefined,
): CounterOperations {
  /** Finds or creates the state. A call with amount 0 does not store a new state. */
  const stateOf = (key: string, amount: number): CounterState => {
    const found = states.get(key)
    if (found !== undefined) return found
    const made = new CounterState()
    if (amount > 0) states.set(key, made)
    return made
  }

  const consumeQuota = (key: string, state: CounterState, counter: Counter, amount: number, now: Millis) => {
    if (counter.quota === undefined) return undefined
    const result = decideQuota(state, now, counter.quota, amount)
    if (amount > 0) onQuotaChange?.(key, state)
    return result
  }

  return {
    consume(counter, amount) {
      const now = clock.now()
      const state = stateOf(counter.id, amount)
      const rate = counter.rate && decideRateOf(state, counter, counter.rate, amount, now)
      if (rate?.allowed === false) return { rate, quota: undefined }
      if (counter.endpoint === '') return { rate, quota: consumeQuota(counter.id, state, counter, amount, now) }
      const key = counterKey({ ...counter, endpoint: '' })
      return { rate, quota: consumeQuota(key, stateOf(key, amount), counter, amount, now) }
    },
    consumeRate: (counter, limit, amount) =>
      decideRateOf(stateOf(counter.id, amount), counter, limit, amount, clock.now()),
    readQuota(id) {
      const state = states.get(counterKey(id))
      if (state === undefined || state.used === 0 || hasPeriodEnded(state, clock.now())) return undefined
      return { used: state.used, renewsAt: state.renewsAt }
    },
    resetQuotas(ids) {
      for (const key of ids.map(counterKey)) {
        const state = states.get(key)
        if (state === undefined || state.used === 0) continue
        state.used = 0
        onQuotaChange?.(key, state)
      }
    },
    unblock(ids) {
      for (const id of ids) {
        const rate = states.get(counterKey(id))?.otherRate
        if (rate?.algorithm === 'sentinel') rate.blockedUntil = Number.NEGATIVE_INFINITY
      }
    },
  } satisfies CounterOperations
}

/**
 * Expired counters are kept for this long, so that a clock that steps back by less still finds the old window and
 * admits no more than without the step (property 9).
 */
export const keptAfterEndMs = 60_000

/** A counter whose limit changes its algorithm starts a new window; with `local`, so does a new `generation`. */
function decideRateOf(
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
