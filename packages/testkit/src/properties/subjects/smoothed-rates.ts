/** Smoothed counters as subjects of property 22: of the memory store, or of any store. */
import {
  type CounterStore,
  type Maybe,
  type Millis,
  makeMemoryStore,
  type RateLimit,
  type RateResult,
  type Smoothing,
} from '@turnpike/core'
import { makeVirtualClock } from '../../virtual-clock.ts'
import { moveClock } from '../move-clock.ts'
import { consumeRate } from '../plain-counters.ts'
import { uniqueCounterName } from '../store-counters.ts'
import { afterTravel, type StoreEnvironment } from '../store-environments.ts'

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

const limitOf = (algorithm: Algorithm, limit: SmoothedLimit): RateLimit => ({ ...limit, algorithm, oneLess: false })

/** A smoothed algorithm on the memory store. `change` replaces the limit; mutants use it. */
export function smoothedRate(
  algorithm: Algorithm,
  change: (limit: SmoothedLimit) => SmoothedLimit = (limit) => limit,
): SmoothedSubject {
  return {
    name: `${algorithm}, smoothed`,
    algorithm,
    make(limit) {
      const clock = makeVirtualClock()
      const { counters } = makeMemoryStore({ clock })
      return (at) => {
        moveClock(clock, at)
        return consumeRate(counters, 'k', limitOf(algorithm, change(limit)), 1)
      }
    },
  }
}

/** A smoothed algorithm of this store. `nodes`: calls several stores in turn. */
export function smoothedRateOnStore(
  environment: StoreEnvironment,
  algorithm: Algorithm,
  nodes: readonly CounterStore[] = [environment.store.counters],
): SmoothedSubject {
  let turn = 0
  return {
    name: `${algorithm}, smoothed`,
    algorithm,
    make(limit) {
      const name = uniqueCounterName('smoothed')
      return (at) =>
        afterTravel(environment.moveTo(at), () => {
          turn = (turn + 1) % nodes.length
          return consumeRate(nodes[turn] as CounterStore, name, limitOf(algorithm, limit), 1)
        })
    },
  }
}
