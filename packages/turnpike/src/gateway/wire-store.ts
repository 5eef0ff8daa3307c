/** Chooses the store. Adapters are loaded on demand, so a gateway in memory loads no database library. */
import { makeMemoryDedupKeys, makeMemorySignals, makeMemoryStore, type Store } from '@turnpike/core'
import type { StoreDependencies, WiredStore } from './wired-store.ts'

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
      description: 'keys in the store of the program',
      ...alone,
      close: () => Promise.resolve(),
    }
  }
  const store =
    choice === 'memory'
      ? makeMemoryStore({ clock, responseBytes: bytesOf(dependencies) })
      : await openLmdb(dependencies)
  const description = choice === 'memory' ? 'keys in memory' : `keys in ${config.dataPath}`
  return { store, description, ...alone, close: () => store.close() }
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
