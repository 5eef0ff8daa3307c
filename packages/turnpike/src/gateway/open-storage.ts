/** Opens the store of a gateway, and the source of its definitions and policies. */
import type { LoadedConfig } from '../config/load-config.ts'
import type { Platform } from './create-platform.ts'
import type { GatewayOptions } from './gateway-options.ts'
import type { Lifecycle } from './lifecycle.ts'
import { type WiredSource, wireSource } from './wire-source.ts'
import { type StoreChoice, wireStore } from './wire-store.ts'
import type { WiredTracing } from './wire-tracing.ts'
import type { WiredStore } from './wired-store.ts'

export interface Storage extends Omit<WiredStore, 'close'> {
  readonly source: WiredSource
}

export async function openStorage(
  options: GatewayOptions,
  loaded: LoadedConfig,
  { config, settings, clock, ids, log, storeObserver }: Platform & Pick<WiredTracing, 'storeObserver'>,
  lifecycle: Lifecycle,
): Promise<Storage> {
  const wired = await wireStore(storeOf(options, loaded), {
    config,
    settings,
    clock,
    ids,
    log,
    observer: storeObserver,
  })
  lifecycle.onClose(wired.close)
  const source = wireSource(options, config, loaded.file !== undefined, clock)
  return { ...wired, source }
}

/** Without a configuration file, state is in memory unless the options name a store. */
function storeOf({ store }: GatewayOptions, { config, file }: LoadedConfig): StoreChoice {
  if (store !== undefined) return store
  if (config.storage.type === 'redis') return 'redis'
  return file === undefined || config.storage.type === 'memory' ? 'memory' : 'lmdb'
}
