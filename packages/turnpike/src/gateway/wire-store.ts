/** Chooses the store. Adapters are loaded on demand, so a gateway in memory loads no database library. */
import {
  type AnalyticsSink,
  type DedupKeys,
  type Handle,
  makeMemoryDedupKeys,
  makeMemorySignals,
  makeMemoryStore,
  type Signals,
  type Store,
} from '@turnpike/core'
import type { StoreDependencies } from './wire-redis.ts'

export interface WiredStore {
  readonly store: Store
  /** Where keys are stored, as text for the start banner. */
  readonly description: string
  /** False if the caller provided the store and closes it. */
  readonly owned: boolean
  /** True if other nodes use this store. Default: false. */
  readonly shared?: boolean
  /** Messages between nodes. Nodes with a shared store exchange them through it. */
  readonly signals: Signals
  readonly dedupKeys: DedupKeys
  /** Sinks for analytics records in this store; empty if it cannot hold records. */
  readonly sinks: readonly AnalyticsSink[]
  /** Wraps a handler to count its requests, if other nodes need the load of this node. */
  readonly countRequests?: (handle: Handle) => Handle
  /** Counters for metrics, if the store can be unavailable. */
  readonly storeCounts?: () => { readonly up: boolean; readonly refused: number; readonly outages: number }
  /** Writes pending data; closes files and connections. */
  close(): Promise<void>
}

export type StoreChoice = 'memory' | 'lmdb' | 'redis' | Store

export async function wireStore(choice: StoreChoice, dependencies: StoreDependencies): Promise<WiredStore> {
  const { config, clock, log } = dependencies
  if (choice === 'redis') {
    const { wireRedis } = await import('./wire-redis.ts')
    return wireRedis(dependencies)
  }
  const alone = { signals: makeMemorySignals({ log }), dedupKeys: makeMemoryDedupKeys(clock), sinks: [] }
  if (typeof choice === 'object') {
    return {
      store: choice,
      description: 'on a store of its owner',
      owned: false,
      ...alone,
      close: () => Promise.resolve(),
    }
  }
  const store =
    choice === 'memory'
      ? makeMemoryStore({ clock, responseBytes: bytesOf(dependencies) })
      : await openLmdb(dependencies)
  const description = choice === 'memory' ? 'keys in memory' : `keys in ${config.dataPath}`
  return { store, description, owned: true, ...alone, close: () => store.close() }
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
