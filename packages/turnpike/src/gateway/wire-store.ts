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
import type { RedisParts } from './wire-redis.ts'

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
  readonly counted?: (handle: Handle) => Handle
  /** For metrics, where the store can be away. */
  readonly storeCounts?: () => { readonly up: boolean; readonly refused: number; readonly outages: number }
  /** Writes what is pending; lets go of files and connections. */
  close(): Promise<void>
}

export type StoreWish = 'memory' | 'lmdb' | 'redis' | Store

export async function wireStore(wish: StoreWish, parts: RedisParts): Promise<WiredStore> {
  const { config, clock, log } = parts
  if (wish === 'redis') {
    const { wireRedis } = await import('./wire-redis.ts')
    return wireRedis(parts)
  }
  const alone = { signals: makeMemorySignals({ log }), marks: makeMemoryMarks(clock), sinks: [] }
  if (typeof wish === 'object') {
    return { store: wish, words: 'on a store of its owner', owned: false, ...alone, close: () => Promise.resolve() }
  }
  const store = wish === 'memory' ? makeMemoryStore({ clock, responseBytes: bytesOf(parts) }) : await openLmdb(parts)
  const words = wish === 'memory' ? 'keys in memory' : `keys in ${config.dataPath}`
  return { store, words, owned: true, ...alone, close: () => store.close() }
}

const bytesOf = ({ config }: RedisParts) => Math.max(0, config.cache.maxBytes)

async function openLmdb(parts: RedisParts): Promise<Store> {
  const { makeLmdbStore } = await import('@turnpike/adapters/store-lmdb')
  return makeLmdbStore({ path: parts.config.dataPath, clock: parts.clock, responseBytes: bytesOf(parts) })
}
