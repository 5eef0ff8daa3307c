/** Subjects of the quota properties: anything that has the method `spend`. */
import type { Maybe, Millis } from '@turnpike/core/lib'
import type { CounterStore, QuotaLimit, QuotaResult, QuotaState } from '@turnpike/core/ports'
import { consumeQuota, plainCounter } from '../plain-counters.ts'
import type { StoreEnvironment } from '../store-environments.ts'
import { type CountersAt, countersOf, ownCounters, uniqueCounterName } from '../subject-counters.ts'

/** Quota counters. The caller passes the time of each call. */
export interface QuotaUnderTest {
  spend(name: string, at: Millis, limit: QuotaLimit, amount: number): Maybe<QuotaResult>
  read(name: string, at: Millis): Maybe<QuotaState | undefined>
  reset(name: string, at: Millis): Maybe<void>
}

export interface QuotaSubject {
  readonly name: string
  /** Which requests count. The compatible quota also counts rejected requests. */
  readonly counted: 'admitted' | 'all'
  make(): QuotaUnderTest
}

/** The quota of the memory store. */
export function compatibleQuota(): QuotaSubject {
  return quotaOf('quota', ownCounters)
}

/** The quota of a store under test. `nodes`: calls several stores in turn. */
export function quotaOnStore(environment: StoreEnvironment, nodes?: readonly CounterStore[]): QuotaSubject {
  const at = countersOf(environment, nodes)
  return quotaOf(nodes === undefined ? 'quota' : `quota, ${nodes.length} nodes`, () => at)
}

function quotaOf(name: string, open: () => CountersAt): QuotaSubject {
  return {
    name,
    counted: 'all',
    make() {
      const prefix = uniqueCounterName('quota')
      const at = open()
      return {
        spend: (quota, instant, limit, amount) =>
          at(instant, (counters) => consumeQuota(counters, `${prefix}-${quota}`, limit, amount)),
        read: (quota, instant) => at(instant, (counters) => counters.readQuota(plainCounter(`${prefix}-${quota}`))),
        reset: (quota, instant) =>
          at(instant, (counters) => counters.resetQuotas([plainCounter(`${prefix}-${quota}`)])),
      }
    },
  }
}
