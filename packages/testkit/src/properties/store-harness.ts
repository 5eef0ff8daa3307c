/**
 * What a person with a store of their own gives, to have every property run on it: how to make one that is empty, and whose
 * time it goes by. `store-properties.ts` has the properties; `store-environments.ts` opens and closes stores for them.
 */
import { type Maybe, type Millis, makeMemorySignals, makeMemoryStore, type Signals, type Store } from '@turnpike/core'
import type { VirtualClock } from '../virtual-clock.ts'
import type { CrashSubject } from './property-14-crash.ts'

/** Makes stores of one kind. One is open at a time. */
export interface StoreHarness {
  readonly name: string
  /** An empty store that goes by this clock. */
  open(clock: VirtualClock): Maybe<OpenedStore>
  /** Sets the time of a store that has its own. Called before each verb that comes at another instant than the last. */
  moveTo?(now: Millis): void
  /** Resolves when nothing is under way that the store does of itself; default: at once. Verbs are waited for anyway. */
  idle?(): Promise<void>
  /** How long after the end of a lifetime a text may still be given. Default 0: at its end it is gone. */
  readonly forgetsLateMs?: Millis
  /** How far its time may step back (property 9), for algorithms of which that is less than a minute. */
  readonly stepBackMs?: { readonly rolling?: Millis; readonly sentinel?: Millis; readonly fixed?: Millis }
  /** Whether several nodes can have the same data, and `OpenedStore.another` is there. Default false. */
  readonly hasNodes?: boolean
  /** Whether counters outlive a process that is killed (property 14), and `OpenedStore.crashed` is there. Default false. */
  readonly isDurable?: boolean
  /** Property 14, for stores that are asked by commands. */
  readonly crash?: CrashSubject
}

/** A store that is open. */
export interface OpenedStore {
  readonly store: Store
  /** Closes it and takes away what it left. */
  close(): Maybe<void>
  /**
   * The store as another node has it, in a group of so many that share rates: the same data. Closed with the first.
   * Where `hasNodes`.
   */
  another?(nodes: number): Maybe<Store>
  /** A second store on what a killed process leaves behind; whoever asks closes it. Where `isDurable`. */
  crashed?(): Promise<Store>
  /** What nodes on this store tell each other by, one for each node; closed with the store. Default: in memory. */
  signals?(): Maybe<Signals>
}

/** The store in memory. */
export const memoryHarness: StoreHarness = {
  name: 'memory',
  open(clock) {
    const store = makeMemoryStore({ clock })
    return { store, close: () => store.close() }
  },
}

/** The same stores with something around each: for faults, and for stores that take their time. */
export function wrapHarness(
  lab: StoreHarness,
  name: string,
  around: (store: Store, clock: VirtualClock) => Store,
): StoreHarness {
  return {
    ...lab,
    name,
    async open(clock) {
      const opened = await lab.open(clock)
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

/** Signals of nodes of one process. */
export function memorySignals(): () => Signals {
  const signals = makeMemorySignals()
  return () => signals
}
