/**
 * Quota and rate counters in memory. Usable on its own: stores that keep quotas elsewhere wrap it, hear by
 * `onQuotaChanged` when there is something to write, and bring kept ones back; see `quota-table.ts`.
 * Quotas and buckets, of which there is one per key, lie in tables of numbers; the other rates are objects in a map.
 */
import type { Clock } from '../ports/clock.ts'
import type { QuotaLimit, QuotaSpent, QuotaState } from '../ports/quota.ts'
import type { RateLimit, RateTaken } from '../ports/rate-limit.ts'
import type { CounterPlaces, CounterStore } from '../ports/store.ts'
import { decideRate, freshRate, type RateCounter, rateEndsAt } from '../rate-limit/decide-rate.ts'
import { BucketTable } from './bucket-table.ts'
import { KeyRows } from './key-rows.ts'
import { QuotaTable } from './quota-table.ts'
import { type Sweepable, startSweeping, sweepMap } from './sweep.ts'

/** Counters that answer without a promise. */
export interface MemoryCounters extends CounterStore {
  spend(name: string, limit: QuotaLimit, amount: number, places?: CounterPlaces, ticket?: number): QuotaSpent
  readQuota(name: string): QuotaState | undefined
  resetQuotas(names: readonly string[]): void
  take(name: string, limit: RateLimit, amount: number, places?: CounterPlaces, ticket?: number): RateTaken
  clearMarks(names: readonly string[]): void
  /** For stores that keep quotas elsewhere. */
  readonly quotas: QuotaTable
  /** The tables, for a sweep that the caller runs itself. */
  readonly sweepables: readonly Sweepable[]
  /** Ends the sweep. */
  close(): void
}

export interface MemoryCountersOptions {
  readonly clock: Clock
  /** There are changes to be taken from `quotas` where there were none. Called before the verb answers: only note it. */
  readonly onQuotaChanged?: (() => void) | undefined
  /** Run a sweep of its own. Default true. */
  readonly sweep?: boolean
  /** Any number, better one that strangers do not know: names that all hash alike would make tables slow. */
  readonly seed?: number
  /** Rows of keys in which their counters may lie. Default: none. */
  readonly keyRows?: KeyRows
}

/**
 * What is over is kept this much longer: a clock that steps back by less still finds the old window and admits no
 * more than it would have without the step (law 9).
 */
const keptAfterEndMs = 60_000

export function makeMemoryCounters(options: MemoryCountersOptions): MemoryCounters {
  const { clock, seed = 0, keyRows = new KeyRows({ numbers: 0, whole: 0, letters: 0 }) } = options
  const quotas = new QuotaTable({ seed, keptAfterEndMs, keyRows, onChanged: options.onQuotaChanged })
  const buckets = new BucketTable({ seed, keptAfterEndMs, keyRows })
  const rates = new Map<string, RateCounter>()
  const sweepables = [quotas, buckets, sweepMap(rates, (counter, now) => rateEndsAt(counter) + keptAfterEndMs <= now)]
  const stopSweeping = options.sweep === false ? () => {} : startSweeping(clock, sweepables)

  /** A counter is of one algorithm: asked by another one it begins anew. */
  const takeOther = (name: string, limit: RateLimit, amount: number): RateTaken => {
    let counter = rates.get(name)
    if (counter === undefined || counter.algorithm !== limit.algorithm) {
      counter = freshRate(limit.algorithm)
      if (amount > 0) {
        rates.set(name, counter)
        if (buckets.size > 0) buckets.remove(name)
      }
    }
    return decideRate(counter, clock.now(), limit, amount)
  }

  return {
    spend: (name, limit, amount, places, ticket) => quotas.spend(name, limit, amount, clock.now(), places, ticket),
    readQuota: (name) => quotas.read(name, clock.now()),
    resetQuotas(names) {
      for (const name of names) quotas.reset(name)
    },
    take(name, limit, amount, places, ticket) {
      if (limit.algorithm !== 'local') return takeOther(name, limit, amount)
      if (amount > 0 && rates.size > 0) rates.delete(name)
      return buckets.take(name, limit, amount, clock.now(), places, ticket)
    },
    clearMarks(names) {
      for (const name of names) {
        const counter = rates.get(name)
        if (counter?.algorithm === 'sentinel') counter.markedUntil = Number.NEGATIVE_INFINITY
      }
    },
    quotas,
    sweepables,
    close() {
      stopSweeping()
    },
  } satisfies MemoryCounters
}
