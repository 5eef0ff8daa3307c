/**
 * The connection between a node and the store: calls and replies cross the simulated network, and either may be lost.
 */
import { isPromise, type Maybe, type Millis } from '@turnpike/core/lib'
import type { Cancel, Clock } from '@turnpike/core/ports'
import type { Participant } from '../simulation/network.ts'
import type { NodeClock } from '../simulation/node-clock.ts'
import type { Simulation } from '../simulation/simulation.ts'
import type { Broker } from './remote-signals.ts'

/** The connection between one node and the store, from a start of the node to its next crash. */
export interface StoreConnection {
  /** The node. */
  /** The node's time of day, which may be wrong. */
  readonly clock: Clock
  /** The node's monotonic clock, for deadlines and pauses. */
  readonly timers: { now(): Millis; after(delayMs: Millis, fn: () => void): Cancel }
  /** How long the node waits for a reply. */
  readonly deadlineMs: Millis
  /**
   * Runs work at the store and returns its result; never settles if the call or the reply is lost. Work that returns a
   * promise may take any number of microtasks but no virtual time.
   */
  reach<T>(work: () => Maybe<T>): Promise<T>
}

export interface StoreConnectionOptions {
  readonly from: Participant
  /** Where the store is, and whether it is reachable now. */
  readonly store: Pick<Broker, 'at' | 'isUp'>
  readonly simulation: Simulation
  readonly clock: NodeClock
  readonly deadlineMs: Millis
}

export function makeStoreConnection({
  from,
  store: { at, isUp },
  simulation,
  clock,
  deadlineMs,
}: StoreConnectionOptions): StoreConnection {
  const { network } = simulation
  return {
    clock,
    timers: { now: simulation.clock.now, after: clock.after },
    deadlineMs,
    reach: (work) =>
      new Promise((resolve, reject) => {
        // A crashed node sends no calls and receives no replies.
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
