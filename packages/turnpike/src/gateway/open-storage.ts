/** Opens the store of a gateway. Adapters are loaded on demand, so a gateway in memory loads no database library. */
import type { Store } from '@turnpike/core/ports'
import { makeMemoryDedupKeys, makeMemorySignals, makeMemoryStore } from '@turnpike/core/store-memory'
import type { Platform } from './create-platform.ts'
import type { Storage } from './storage.ts'
import type { WiredTracing } from './wire-tracing.ts'

/** Does not close a store that the options contain. */
export async function openStorage(platform: Platform & WiredTracing): Promise<Storage> {
  const { config, clock, log, lifecycle } = platform
  const choice = storeOf(platform)
  if (choice === 'redis') {
    const { wireRedis } = await import('./wire-redis.ts')
    return wireRedis(platform)
  }
  const alone = { signals: makeMemorySignals({ log }), dedupKeys: makeMemoryDedupKeys(clock), storeSinks: [] }
  if (typeof choice === 'object') {
    return { ...alone, store: choice, storeDescription: 'keys in the store of the program' }
  }
  const responseBytes = Math.max(0, config.cache.maxBytes)
  if (choice === 'memory') {
    const store = makeMemoryStore({ clock, responseBytes })
    lifecycle.onClose(() => store.close())
    return { ...alone, store, storeDescription: 'keys in memory' }
  }
  const { makeLmdbStore } = await import('@turnpike/adapters/store-lmdb')
  const store = await makeLmdbStore({ path: config.dataPath, clock, responseBytes, log })
  lifecycle.onClose(() => store.close())
  return { ...alone, store, storeCounts: store.counts, storeDescription: `keys in ${config.dataPath}` }
}

/** Without a configuration file, state is in memory unless the options name a store. */
function storeOf({ options, config, hasFile }: Platform): 'memory' | 'lmdb' | 'redis' | Store {
  if (options.store !== undefined) return options.store
  if (config.storage.type === 'redis') return 'redis'
  return !hasFile || config.storage.type === 'memory' ? 'memory' : 'lmdb'
}
