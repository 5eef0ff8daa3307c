/** Smoothed counters as subjects of property 22: of the memory store, or of any store. */
import type { Maybe, Millis } from '@turnpike/core/lib'
import type { CounterStore, RateLimit, RateResult, Smoothing } from '@turnpike/core/ports'
import { consumeRate } from '../plain-counters.ts'
import type { StoreEnvironment } from '../store-environments.ts'
import { type CountersAt, countersOf, ownCounters, uniqueCounterName } from '../subject-counters.ts'

/** A rate with smoothing. */
export interface SmoothedLimit {
  readonly rate: number
  /** Window in whole seconds. */
  readonly per: number
  readonly smoothing: Smoothing
}

export interface SmoothedSubject {
  readonly name: string
  readonly algorithm: 'rolling' | 'sentinel'
  /** Makes a new counter; the function counts one request at a time of the virtual clock. */
  make(limit: SmoothedLimit): (at: Millis) => Maybe<RateResult>
}

type Algorithm = SmoothedSubject['algorithm']

/** A smoothed algorithm on the memory store. `change` replaces the limit; mutants use it. */
export function smoothedRate(
  algorithm: Algorithm,
  change: (limit: SmoothedLimit) => SmoothedLimit = (limit) => limit,
): SmoothedSubject {
  return smoothedRateOf(algorithm, ownCounters, change)
}

/** A smoothed algorithm of a store under test. `nodes`: calls several stores in turn. */
export function smoothedRateOnStore(
  environment: StoreEnvironment,
  algorithm: Algorithm,
  nodes?: readonly CounterStore[],
): SmoothedSubject {
  const at = countersOf(environment, nodes)
  return smoothedRateOf(
    algorithm,
    () => at,
    (limit) => limit,
  )
}

function smoothedRateOf(
  algorithm: Algorithm,
  open: () => CountersAt,
  change: (limit: SmoothedLimit) => SmoothedLimit,
): SmoothedSubject {
  return {
    name: `${algorithm}, smoothed`,
    algorithm,
    make(limit) {
      const name = uniqueCounterName('smoothed')
      const counted: RateLimit = { ...change(limit), algorithm, oneLess: false }
      const at = open()
      return (instant) => at(instant, (counters) => consumeRate(counters, name, counted, 1))
    },
  }
}
