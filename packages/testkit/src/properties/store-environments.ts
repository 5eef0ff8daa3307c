/** Opens stores of a lab for properties, one after the other, each on a clock of its own, and waits for what is under way. */
import { isPromise, type Maybe, type Millis, type Signals, type Store } from '@turnpike/core'
import { makeVirtualClock, type VirtualClock, virtualEpoch } from '../virtual-clock.ts'
import { moveClock } from './move-clock.ts'
import { memorySignals, type OpenedStore, type StoreHarness } from './store-harness.ts'
import { type CallTracker, trackedStore } from './tracked-store.ts'

/** An empty store and the clock that it goes by, for an engine or for counters. */
export interface StoreEnvironment {
  readonly clock: VirtualClock
  readonly store: Store
  /** Goes to an instant, back as well, once nothing is under way. */
  moveTo(at: Millis): Maybe<void>
  /** Another node's store on the same data; where data belongs to one process, the same store. */
  another(nodes?: number): Promise<Store>
  /** As `OpenedStore` has it. */
  readonly crashed: (() => Promise<Store>) | undefined
  /** Signals of one more node. */
  signals(): Promise<Signals>
}

/** Opens a world; the one before is closed. */
export type OpenEnvironment = () => Promise<StoreEnvironment>

export interface StoreEnvironments {
  readonly open: OpenEnvironment
  close(): Promise<void>
}

/** A bench for one run of a property. */
export function makeStoreEnvironments(lab: StoreHarness): StoreEnvironments {
  let opened: OpenedStore | undefined
  let clock: VirtualClock = makeVirtualClock()
  let told: Millis = Number.NaN
  const watch: CallTracker = {
    underWay: 0,
    before() {
      const now = clock.now()
      if (now === told) return
      told = now
      lab.moveTo?.(now)
    },
  }
  const settle = async () => {
    do {
      await new Promise(setImmediate)
      await lab.idle?.()
    } while (watch.underWay > 0)
  }
  const close = async () => {
    await settle()
    const closing = opened
    opened = undefined
    await closing?.close()
  }

  return {
    close,
    async open() {
      await close()
      clock = makeVirtualClock(virtualEpoch, settle)
      watch.before()
      const now = await lab.open(clock)
      opened = now
      const world = clock
      const signals = now.signals ?? memorySignals()
      return {
        clock: world,
        store: trackedStore(now.store, watch),
        moveTo(at) {
          if (at === world.now()) return undefined
          if (watch.underWay === 0 && lab.idle === undefined) return moveClock(world, at)
          return settle().then(() => moveClock(world, at))
        },
        another: async (nodes = 1) => trackedStore((await now.another?.(nodes)) ?? now.store, watch),
        crashed: now.crashed,
        signals: async () => signals(),
      }
    },
  }
}

/** Asks after the way; without a promise where there was nothing to wait for. */
export function afterTravel<T>(way: Maybe<void>, ask: () => Maybe<T>): Maybe<T> {
  return isPromise(way) ? way.then(ask) : ask()
}
