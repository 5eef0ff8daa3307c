/**
 * Where the store stands, and how nodes come to it. A store in memory is asked verb by verb (`remote-store.ts`). One
 * that is asked by commands, as Redis is, has an adapter on each node, and each command crosses the network by itself;
 * it comes from outside (`RunOptions.makeServer`), since adapters are not for this package to know.
 */
import type { Store } from '@turnpike/core'
import type { Line } from './line.ts'
import { makeRemoteStore } from './remote-store.ts'

export interface StoreServer {
  /** As one who stands beside it has it: by this is put what is there before a run. */
  readonly beside: Store
  /** The store as a node has it, from its start until it crashes. */
  connect(line: Line): Store
  /** Called when the run is over. */
  close?(): Promise<void>
}

/** A store that carries out whole verbs. */
export function serverOf(store: Store): StoreServer {
  return { beside: store, connect: (line) => makeRemoteStore(store, line), close: () => store.close() }
}
