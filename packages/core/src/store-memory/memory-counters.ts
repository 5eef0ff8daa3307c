/**
 * Quota and rate counters in memory. Usable on its own: stores that keep quotas elsewhere wrap it, hear by
 * `onQuotaChanged` which ones to write, and bring them back with `importQuota`.
 * A verb costs one look-up in a map and one small result; a counter is one object, changed in place.
 */
import type { Clock } from '../ports/clock.ts'
import type { CounterStore } from '../ports/store.ts'
import { decideQuota, freshQuota, isQuotaOver, type QuotaCounter } from '../quota/decide.ts'
import type { QuotaLimit, QuotaSpent, QuotaState } from '../quota/quota.ts'
import { decideRate, freshRate, type RateCounter, rateEndsAt } from '../rate-limit/decide.ts'
import type { RateLimit, RateTaken } from '../rate-limit/rate-limit.ts'
import { type Sweepable, startSweeping, sweepMap } from './sweep.ts'

/** Counters that answer without a promise. */
export interface MemoryCounters extends CounterStore {
  spend(name: string, limit: QuotaLimit, amount: number): QuotaSpent
  readQuota(name: string): QuotaState | undefined
  resetQuotas(names: readonly string[]): void
  take(name: string, limit: RateLimit, amount: number): RateTaken
  clearMarks(names: readonly string[]): void
  /** What is to be kept of a quota counter; `undefined`: nothing, forget it. */
  exportQuota(name: string): QuotaState | undefined
  /** Puts a kept quota counter back; one that is over or empty is passed over. `onQuotaChanged` is not called. */
  importQuota(name: string, state: QuotaState): void
  /** The tables, for a sweep that the caller runs itself. */
  readonly sweepables: readonly Sweepable[]
  /** Ends the sweep. */
  close(): void
}

export interface MemoryCountersOptions {
  readonly clock: Clock
  /** A quota counter was counted, reset or swept. Called before the verb answers: note the name and return. */
  readonly onQuotaChanged?: ((name: string) => void) | undefined
  /** Run a sweep of its own. Default true. */
  readonly sweep?: boolean
}

/**
 * What is over is kept this much longer: a clock that steps back by less still finds the old window and admits no
 * more than it would have without the step (law 9).
 */
const keptAfterEndMs = 60_000

export function makeMemoryCounters(options: MemoryCountersOptions): MemoryCounters {
  const { clock, onQuotaChanged } = options
  const quotas = new Map<string, QuotaCounter>()
  const rates = new Map<string, RateCounter>()
  const sweepables = [
    sweepMap(quotas, (counter, now) => isQuotaOver(counter, now - keptAfterEndMs), onQuotaChanged),
    sweepMap(rates, (counter, now) => rateEndsAt(counter) + keptAfterEndMs <= now),
  ]
  const stopSweeping = options.sweep === false ? () => {} : startSweeping(clock, sweepables)

  const running = (name: string): QuotaCounter | undefined => {
    const counter = quotas.get(name)
    return counter === undefined || isQuotaOver(counter, clock.now()) ? undefined : counter
  }
  const stateOf = (name: string): QuotaState | undefined => {
    const counter = running(name)
    return counter === undefined ? undefined : { used: counter.used, renewsAt: counter.renewsAt }
  }

  return {
    spend(name, limit, amount) {
      let counter = quotas.get(name)
      if (counter === undefined) {
        counter = freshQuota()
        if (amount > 0) quotas.set(name, counter)
      }
      const spent = decideQuota(counter, clock.now(), limit, amount)
      if (amount > 0 && onQuotaChanged !== undefined) onQuotaChanged(name)
      return spent
    },
    readQuota: stateOf,
    resetQuotas(names) {
      for (const name of names) if (quotas.delete(name)) onQuotaChanged?.(name)
    },
    take(name, limit, amount) {
      let counter = rates.get(name)
      if (counter === undefined || counter.algorithm !== limit.algorithm) {
        counter = freshRate(limit.algorithm)
        if (amount > 0) rates.set(name, counter)
      }
      return decideRate(counter, clock.now(), limit, amount)
    },
    clearMarks(names) {
      for (const name of names) {
        const counter = rates.get(name)
        if (counter?.algorithm === 'sentinel') counter.markedUntil = Number.NEGATIVE_INFINITY
      }
    },
    exportQuota: stateOf,
    importQuota(name, state) {
      const counter = { used: state.used, renewsAt: state.renewsAt }
      if (counter.used > 0 && !isQuotaOver(counter, clock.now())) quotas.set(name, counter)
    },
    sweepables,
    close() {
      stopSweeping()
    },
  } satisfies MemoryCounters
}
