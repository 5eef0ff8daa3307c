/** Subjects of the quota properties: anything that has the method `spend`. */
import {
  type Clock,
  type Maybe,
  type Millis,
  makeMemoryStore,
  type QuotaLimit,
  type QuotaResult,
  type QuotaState,
  type Store,
} from '@turnpike/core'
import { makeVirtualClock } from '../../virtual-clock.ts'
import { moveClock } from '../move-clock.ts'
import { consumeQuota, plainCounter } from '../plain-counters.ts'

/** Quota counters. The caller passes the time of each call. */
export interface QuotaUnderTest {
  spend(name: string, at: Millis, limit: QuotaLimit, amount: number): Maybe<QuotaResult>
  read(name: string, at: Millis): Maybe<QuotaState | undefined>
  reset(name: string, at: Millis): Maybe<void>
}

export interface QuotaSubject {
  readonly name: string
  /** Which requests count. The compatible quota also counts refused requests. */
  readonly counted: 'admitted' | 'all'
  make(): QuotaUnderTest
}

/** The quota of a store. Default: the memory store. */
export function compatibleQuota(
  makeStore: (clock: Clock) => Pick<Store, 'counters'> = (clock) => makeMemoryStore({ clock }),
): QuotaSubject {
  return {
    name: 'quota',
    counted: 'all',
    make() {
      const clock = makeVirtualClock()
      const { counters } = makeStore(clock)
      return {
        spend(name, at, limit, amount) {
          moveClock(clock, at)
          return consumeQuota(counters, name, limit, amount)
        },
        read(name, at) {
          moveClock(clock, at)
          return counters.readQuota(plainCounter(name))
        },
        reset(name, at) {
          moveClock(clock, at)
          return counters.resetQuotas([plainCounter(name)])
        },
      }
    },
  }
}
