/** Chooses the store. Adapters are loaded when they are wanted: a gateway in memory opens no database library. */
import {
  type AnalyticsSink,
  type Handle,
  type Marks,
  makeMemoryMarks,
  makeMemorySignals,
  makeMemoryStore,
  type Signals,
  type Store,
} from '@turnpike/core'
import type { StoreDependencies } from './wire-redis.ts'

export interface WiredStore {
  readonly store: Store
  /** In words, for people. */
  readonly words: string
  /** A store that was given stays its owner's to close. */
  readonly owned: boolean
  /** Whether other nodes work on it; default: no. */
  readonly shared?: boolean
  /** What goes with the store: where nodes share one, they tell each other over it. */
  readonly signals: Signals
  readonly marks: Marks
  /** Where the store keeps analytics records; none: nowhere. */
  readonly sinks: readonly AnalyticsSink[]
  /** Counts the requests of a handler, where others want to know how busy this node is. */
  readonly countRequests?: (handle: Handle) => Handle
  /** For metrics, where the store can be away. */
  readonly storeCounts?: () => { readonly up: boolean; readonly refused: number; readonly outages: number }
  /** Writes what is pending; lets go of files and connections. */
  close(): Promise<void>
}

export type StoreChoice = 'memory' | 'lmdb' | 'redis' | Store

export async function wireStore(choice: StoreChoice, dependencies: StoreDependencies): Promise<WiredStore> {
  const { config, clock, log } = dependencies
  if (choice === 'redis') {
    const { wireRedis } = await import('./wire-redis.ts')
    return wireRedis(dependencies)
  }
  const alone = { signals: makeMemorySignals({ log }), marks: makeMemoryMarks(clock), sinks: [] }
  if (typeof choice === 'object') {
    return { store: choice, words: 'on a store of its owner', owned: false, ...alone, close: () => Promise.resolve() }
  }
  const store =
    choice === 'memory'
      ? makeMemoryStore({ clock, responseBytes: bytesOf(dependencies) })
      : await openLmdb(dependencies)
  const words = choice === 'memory' ? 'keys in memory' : `keys in ${config.dataPath}`
  return { store, words, owned: true, ...alone, close: () => store.close() }
}

const bytesOf = ({ config }: StoreDependencies) => Math.max(0, config.cache.maxBytes)

async function openLmdb(dependencies: StoreDependencies): Promise<Store> {
  const { makeLmdbStore } = await import('@turnpike/adapters/store-lmdb')
  return makeLmdbStore({
    path: dependencies.config.dataPath,
    clock: dependencies.clock,
    responseBytes: bytesOf(dependencies),
  })
}
