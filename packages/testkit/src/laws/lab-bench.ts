/** Opens stores of a lab for laws, one after the other, each on a clock of its own, and waits for what is under way. */
import { isPromise, type Maybe, type Millis, type Signals, type Store } from '@turnpike/core'
import { makeVirtualClock, type VirtualClock, virtualEpoch } from '../virtual-clock.ts'
import { type LabStore, memorySignals, type StoreLab } from './store-lab.ts'
import { travel } from './travel.ts'
import { type CallWatch, watchedStore } from './watched-store.ts'

/** An empty store and the clock that it goes by, for an engine or for counters. */
export interface LawWorld {
  readonly clock: VirtualClock
  readonly store: Store
  /** Goes to an instant, back as well, once nothing is under way. */
  travelTo(at: Millis): Maybe<void>
  /** Another node's store on the same data; where data belongs to one process, the same store. */
  another(nodes?: number): Promise<Store>
  /** As `LabStore` has it. */
  readonly crashed: (() => Promise<Store>) | undefined
  /** Signals of one more node. */
  signals(): Promise<Signals>
}

/** Opens a world; the one before is closed. */
export type OpenWorld = () => Promise<LawWorld>

export interface LabBench {
  readonly open: OpenWorld
  close(): Promise<void>
}

/** A bench for one run of a law. */
export function makeLabBench(lab: StoreLab): LabBench {
  let opened: LabStore | undefined
  let clock: VirtualClock = makeVirtualClock()
  let told: Millis = Number.NaN
  const watch: CallWatch = {
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
        store: watchedStore(now.store, watch),
        travelTo(at) {
          if (at === world.now()) return undefined
          if (watch.underWay === 0 && lab.idle === undefined) return travel(world, at)
          return settle().then(() => travel(world, at))
        },
        another: async (nodes = 1) => watchedStore((await now.another?.(nodes)) ?? now.store, watch),
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
