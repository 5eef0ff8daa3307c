/** The operations of counters on states that the caller keeps: in a map, or decoded from a store of several processes. */
import type { Clock, Millis } from '../ports/clock.ts'
import type { QuotaResult, QuotaState } from '../ports/quota.ts'
import type { RateLimit, RateResult } from '../ports/rate-limit.ts'
import { type Counter, type CounterId, type CounterStore, counterKey } from '../ports/store.ts'
import { decideQuota, hasPeriodEnded } from '../quota/decide-quota.ts'
import { CounterState, decideRateOf } from './counter-state.ts'

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
