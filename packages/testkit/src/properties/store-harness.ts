/**
 * What the author of a store provides to run every property on it: a function that opens an empty store, and the source
 * of its time. `store-properties.ts` has the properties; `store-environments.ts` opens and closes stores for them.
 */

import type { Maybe, Millis } from '@turnpike/core/lib'
import type { Signals, Store } from '@turnpike/core/ports'
import { makeMemorySignals, makeMemoryStore } from '@turnpike/core/store-memory'
import { aFlag, aFunction, anAmountOfTime, anObjectWith, aText, checkOptions } from '../check-input.ts'
import type { VirtualClock } from '../virtual-clock.ts'
import type { CrashSubject } from './property-14-refinement-crash.ts'

/** Opens stores of one kind. At most one is open at a time. */
export interface StoreHarness {
  readonly name: string
  /** Opens an empty store that uses this clock. */
  open(clock: VirtualClock): Maybe<OpenedStore>
  /**
   * Sets the time of a store that has its own clock. Called before each call whose time differs from the previous one.
   */
  moveTo?(now: Millis): void
  /** Resolves when the store has no background work. Default: at once. Pending calls are awaited in any case. */
  idle?(): Promise<void>
  /** Time in ms for which the store may still return an expired record. Default 0. */
  readonly forgetsLateMs?: Millis
  /** Maximum backward step of the clock (property 9), for algorithms that tolerate less than a minute. */
  readonly stepBackMs?: { readonly rolling?: Millis; readonly sentinel?: Millis; readonly fixed?: Millis }
  /** True if several nodes can share the data; `OpenedStore.another` is then required. Default false. */
  readonly hasNodes?: boolean
  /** True if counters survive a killed process (property 14); `OpenedStore.crashed` is then required. Default false. */
  readonly isDurable?: boolean
  /** Property 14, for stores that are called by commands. */
  readonly crash?: CrashSubject
}

/** Throws an `InputError` that names what is wrong. `fn`: the function that got the harness. */
export function checkHarness(fn: string, harness: StoreHarness): void {
  const checks = {
    ...{ name: aText, open: aFunction, moveTo: aFunction, idle: aFunction, hasNodes: aFlag, isDurable: aFlag },
    ...{ forgetsLateMs: anAmountOfTime, stepBackMs: anObjectWith(), crash: anObjectWith() },
  }
  checkOptions(fn, harness, checks, ['name', 'open'])
}

/** An open store. */
export interface OpenedStore {
  readonly store: Store
  /** Closes the store and deletes its data. */
  close(): Maybe<void>
  /**
   * Opens the same data as another node of a group of this size, whose nodes share rates. Closed with the first store.
   * Required by `hasNodes`.
   */
  another?(nodes: number): Maybe<Store>
  /** Opens a second store on the data of a killed process. The caller closes it. Required by `isDurable`. */
  crashed?(): Promise<Store>
  /** Signals between the nodes of this store, one for each node; closed with the store. Default: in memory. */
  signals?(): Maybe<Signals>
}

/** The memory store. */
export const memoryHarness: StoreHarness = {
  name: 'memory',
  open(clock) {
    const store = makeMemoryStore({ clock })
    return { store, close: () => store.close() }
  },
}

/** Wraps every store of a harness: for mutants and for slow stores. */
export function wrapHarness(
  harness: StoreHarness,
  name: string,
  around: (store: Store, clock: VirtualClock) => Store,
): StoreHarness {
  return {
    ...harness,
    name,
    async open(clock) {
      const opened = await harness.open(clock)
      const { another, crashed } = opened
      return {
        ...opened,
        store: around(opened.store, clock),
        ...(another === undefined ? {} : { another: async (nodes: number) => around(await another(nodes), clock) }),
        ...(crashed === undefined ? {} : { crashed: async () => around(await crashed(), clock) }),
      }
    },
  }
}

/** Signals between nodes of one process. */
export function memorySignals(): () => Signals {
  const signals = makeMemorySignals()
  return () => signals
}
