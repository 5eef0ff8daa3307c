/** The line between a node and the store: calls and replies cross the simulated network, and either may be lost. */
import { type Cancel, type Clock, isPromise, type Maybe, type Millis } from '@turnpike/core'
import type { Network, Place } from '../world/network.ts'
import type { NodeClock } from '../world/node-clock.ts'

/** The way between one node and the store, for one life of the node. */
export interface Line {
  /** The node. */
  readonly from: Place
  /** Its time of day, which may be wrong. */
  readonly clock: Clock
  /** Its time for deadlines and pauses, which nobody sets. */
  readonly timers: { now(): Millis; after(delayMs: Millis, fn: () => void): Cancel }
  /** How long it waits for an answer. */
  readonly deadlineMs: Millis
  /**
   * Has work done where the store stands and brings back what came of it; never settles when one of the two is lost.
   * Work that returns a promise may take as many turns as it likes, but no time: nothing moves time on meanwhile.
   */
  reach<T>(work: () => Maybe<T>): Promise<T>
}

export interface LineParts {
  readonly from: Place
  readonly at: Place
  readonly network: Network
  readonly world: Clock
  readonly clock: NodeClock
  readonly deadlineMs: Millis
  /** Whether the store answers at all at this moment. */
  isUp(): boolean
}

export function makeLine({ from, at, network, world, clock, deadlineMs, isUp }: LineParts): Line {
  return {
    from,
    clock,
    timers: { now: world.now, after: clock.after },
    deadlineMs,
    reach: (work) =>
      new Promise((resolve, reject) => {
        // Who has crashed asks nothing, and hears nothing of what was under way.
        if (clock.isStopped()) return
        const answer = (settle: () => void) =>
          network.send(at, from, () => {
            if (!clock.isStopped()) settle()
          })
        network.send(from, at, () => {
          if (!isUp()) return
          let result: ReturnType<typeof work>
          try {
            result = work()
          } catch (cause) {
            answer(() => reject(cause))
            return
          }
          if (!isPromise(result)) answer(() => resolve(result))
          else
            result.then(
              (value) => answer(() => resolve(value)),
              (cause: unknown) => answer(() => reject(cause)),
            )
        })
      }),
  }
}
