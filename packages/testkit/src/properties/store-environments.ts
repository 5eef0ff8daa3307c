/**
 * Opens the stores of a harness for properties, one after the other, each with its own clock, and waits for pending
 * calls.
 */
import { isPromise, type Maybe, type Millis } from '@turnpike/core/lib'
import type { Signals, Store } from '@turnpike/core/ports'
import { makeVirtualClock, type VirtualClock, virtualEpoch } from '../virtual-clock.ts'
import { memorySignals, type OpenedStore, type StoreHarness } from './store-harness.ts'
import { moveClock } from './subject-counters.ts'

/** An empty store and its clock, for an engine or for counters. */
export interface StoreEnvironment {
  readonly clock: VirtualClock
  readonly store: Store
  /** Sets the time, forward or backward, once no call is pending. */
  moveTo(at: Millis): Maybe<void>
  /** Another node's store on the same data. If the data belongs to one process, this is the same store. */
  another(nodes?: number): Promise<Store>
  /** Returns a store with the data that a kill leaves; `undefined` if the harness cannot kill its store. */
  readonly crashed: (() => Promise<Store>) | undefined
  /** Connects one more node to the signals that all nodes of this environment share. */
  signals(): Promise<Signals>
}

/** Opens an environment and closes the previous one. */
export type OpenEnvironment = () => Promise<StoreEnvironment>

export interface StoreEnvironments {
  readonly open: OpenEnvironment
  close(): Promise<void>
}

/** Makes the environments for one run of a property. */
export function makeStoreEnvironments(harness: StoreHarness): StoreEnvironments {
  let opened: OpenedStore | undefined
  let clock: VirtualClock = makeVirtualClock()
  let lastTime: Millis = Number.NaN
  const setTime = () => {
    const now = clock.now()
    if (now === lastTime) return
    lastTime = now
    harness.moveTo?.(now)
  }
  const calls = makeCallTracker(setTime)
  const settle = async () => {
    do {
      await new Promise(setImmediate)
      await harness.idle?.()
    } while (calls.pending() > 0)
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
      setTime()
      const current = await harness.open(clock)
      opened = current
      const environmentClock = clock
      const signals = current.signals ?? memorySignals()
      return {
        clock: environmentClock,
        store: calls.track(current.store),
        moveTo(at) {
          if (at === environmentClock.now()) return undefined
          if (calls.pending() === 0 && harness.idle === undefined) return moveClock(environmentClock, at)
          return settle().then(() => moveClock(environmentClock, at))
        },
        another: async (nodes = 1) => calls.track((await current.another?.(nodes)) ?? current.store),
        crashed: current.crashed,
        signals: async () => signals(),
      }
    },
  }
}

const trackedParts = ['sessions', 'organisations', 'counters', 'responses', 'records'] as const

/** Counts the pending calls of stores, and calls `before` before each call. Methods that a store lacks stay undefined. */
function makeCallTracker(before: () => void) {
  let pending = 0
  const trackedPart = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        const verb: unknown = Reflect.get(target, name, target)
        if (typeof verb !== 'function') return verb
        return (...args: unknown[]) => {
          before()
          const answer: unknown = Reflect.apply(verb, target, args)
          if (!isPromise(answer)) return answer
          pending += 1
          return answer.finally(() => {
            pending -= 1
          })
        }
      },
    })
  return {
    pending: () => pending,
    track(store: Store): Store {
      return { ...store, ...Object.fromEntries(trackedParts.map((part) => [part, trackedPart(store[part])])) }
    },
  }
}
