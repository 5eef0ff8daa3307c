/**
 * The store of the simulation and how nodes reach it. A store in memory is called method by method (`remote-store.ts`).
 * A store with commands, such as Redis, has an adapter on each node, and each command crosses the network separately;
 * the caller provides it (`RunOptions.makeServer`), since this package does not depend on adapters.
 */
import type { Store } from '@turnpike/core'
import type { Line } from './line.ts'
import { makeRemoteStore } from './remote-store.ts'

export interface StoreServer {
  /** Direct access without the network, used to write the initial data of a run. */
  readonly beside: Store
  /** The store as a node reaches it, from its start until it crashes. */
  connect(line: Line): Store
  /** Replaces the primary by its replica. Absent: the store has no replica. */
  promote?(): void
  /** Called when the run is over. */
  close?(): Promise<void>
}

/** A server for a store whose methods are executed as a whole. */
export function serverOf(store: Store): StoreServer {
  return { beside: store, connect: (line) => makeRemoteStore(store, line), close: () => store.close() }
}
