/** Opens the store of a gateway. Adapters are loaded on demand, so a gateway in memory loads no database library. */
import type { LmdbStore } from '@turnpike/adapters/store-lmdb'
import type { DedupKeys, Log, Store } from '@turnpike/core/ports'
import { makeMemoryDedupKeys, makeMemorySignals, makeMemoryStore } from '@turnpike/core/store-memory'
import type { Platform } from './create-platform.ts'
import type { GatewayWorker } from './gateway-options.ts'
import type { Storage } from './storage.ts'
import type { WiredTracing } from './wire-tracing.ts'

/** Does not close a store that the options contain. */
export async function openStorage(platform: Platform & WiredTracing): Promise<Storage> {
  const { config, clock, log, lifecycle } = platform
  const choice = storeOf(platform)
  if (choice === 'redis') {
    const { wireRedis } = await import('./wire-redis.ts')
    const { worker } = platform.options
    const reloadGroup = worker === undefined ? undefined : (await loadWorkerGroup()).joinReloads(worker.member)
    return { ...(await wireRedis(platform)), reloadGroup }
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
  const { worker } = platform.options
  const store = await makeLmdbStore({
    ...{ path: config.dataPath, clock, log },
    // Each worker has a part of the cache.
    responseBytes: Math.floor(responseBytes / config.workers),
    worker: worker && { slot: worker.slot, sweeps: worker.isFirst },
  })
  lifecycle.onClose(() => store.close())
  const shared = worker === undefined ? alone : await shareWithWorkers(store, worker, log)
  return { ...alone, ...shared, store, storeCounts: store.counts, storeDescription: `keys in ${config.dataPath}` }
}

/** What the workers of one gateway share beside the folder. */
async function shareWithWorkers(store: LmdbStore, { member }: GatewayWorker, log: Log) {
  const { joinReloads, makeGroupKeyLock, makeGroupSignals } = await loadWorkerGroup()
  const reloadGroup = joinReloads(member)
  const dedupKeys: DedupKeys = { claim: (name, lifetimeMs) => store.records.add(`dedup-${name}`, '1', lifetimeMs) }
  return {
    signals: makeGroupSignals(member, { log, reload: reloadGroup.reload }),
    sharedKeyLock: makeGroupKeyLock(member),
    ...{ reloadGroup, dedupKeys },
  }
}

const loadWorkerGroup = () => import('@turnpike/adapters/worker-group')

/** Without a configuration file, state is in memory unless the options name a store. */
function storeOf({ options, config, hasFile }: Platform): 'memory' | 'lmdb' | 'redis' | Store {
  if (options.store !== undefined) return options.store
  if (config.storage.type === 'redis') return 'redis'
  return !hasFile || config.storage.type === 'memory' ? 'memory' : 'lmdb'
}
