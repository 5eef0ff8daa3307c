/** The counters that subjects use: those of a memory store with its own clock, or those of a store under test. */
import { isPromise, type Maybe, type Millis } from '@turnpike/core/lib'
import type { Clock, CounterStore, Store } from '@turnpike/core/ports'
import { makeMemoryStore } from '@turnpike/core/store-memory'
import { makeVirtualClock, type VirtualClock } from '../virtual-clock.ts'

/** Calls `ask` with the counters at an instant of a trace. */
export type CountersAt = <T>(at: Millis, ask: (counters: CounterStore) => Maybe<T>) => Maybe<T>

/** The last part of a jump, in which all timers run. It is longer than the interval of any sweep. */
const steppedMs = 120_000

/**
 * Sets the clock to an instant, which may be in the past. Of a long pause only the last `steppedMs` run the timers, because
 * running those of a whole month would take too long.
 */
export function moveClock(clock: VirtualClock, at: Millis): void {
  if (at - clock.now() > steppedMs) clock.set(at - steppedMs)
  clock.moveTo(at)
}

/** Makes counters with a clock of their own. Default: those of a memory store. */
export function ownCounters(
  makeStore: (clock: Clock) => Pick<Store, 'counters'> = (clock) => makeMemoryStore({ clock }),
): CountersAt {
  const clock = makeVirtualClock()
  const { counters } = makeStore(clock)
  return (at, ask) => {
    moveClock(clock, at)
    return ask(counters)
  }
}

/** The counters of a store under test. `nodes`: calls several stores on the same data in turn, as nodes do. */
export function countersOf(
  environment: { readonly store: Pick<Store, 'counters'>; moveTo(at: Millis): Maybe<void> },
  nodes: readonly CounterStore[] = [environment.store.counters],
): CountersAt {
  let turn = 0
  return (at, ask) => {
    const askNext = () => {
      turn = (turn + 1) % nodes.length
      return ask(nodes[turn] as CounterStore)
    }
    const moved = environment.moveTo(at)
    return isPromise(moved) ? moved.then(askNext) : askNext()
  }
}

let serial = 0

/** Returns a name under which nothing has been counted. */
export function uniqueCounterName(stem: string): string {
  serial += 1
  return `${stem}-counter${serial}`
}
