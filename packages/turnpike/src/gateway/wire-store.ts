/** Chooses the store. Adapters are loaded when they are wanted: a gateway in memory opens no database library. */
import { type Clock, makeMemoryStore, type Store } from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'

export interface WiredStore {
  readonly store: Store
  /** In words, for people. */
  readonly words: string
  /** A store that was given stays its owner's to close. */
  readonly owned: boolean
}

export async function wireStore(
  wish: 'memory' | 'lmdb' | Store,
  config: GatewayConfig,
  clock: Clock,
): Promise<WiredStore> {
  if (typeof wish === 'object') return { store: wish, words: 'on a store of its owner', owned: false }
  const responseBytes = Math.max(0, config.cache.maxBytes)
  if (wish === 'memory')
    return { store: makeMemoryStore({ clock, responseBytes }), words: 'keys in memory', owned: true }
  const { makeLmdbStore } = await import('@turnpike/adapters/store-lmdb')
  const store = await makeLmdbStore({ path: config.dataPath, clock, responseBytes })
  return { store, words: `keys in ${config.dataPath}`, owned: true }
}
