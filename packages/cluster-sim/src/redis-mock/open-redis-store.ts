/** Opens the Redis store adapter on any client and any clock. */
import {
  makeRedisStore,
  openRedisConnection,
  type RedisClient,
  type RedisConnection,
  type Timers,
} from '@turnpike/adapters/store-redis'
import type { Millis } from '@turnpike/core/lib'
import { type Clock, type CounterStore, type Store, silentLog } from '@turnpike/core/ports'

/** Wraps parts of the adapter. Seeded bugs are implemented this way. */
export interface AroundRedis {
  /** Where commands set out. `clock`: of the node. */
  client?(client: RedisClient, clock: Clock): RedisClient
  counters?(counters: CounterStore, connection: RedisConnection): Partial<CounterStore>
}

export interface RedisStoreServices {
  readonly client: RedisClient
  readonly timers: Timers
  readonly clock: Clock
  /** Timeout of one call. */
  readonly callMs: Millis
  /** Default: nothing. */
  readonly around?: AroundRedis
}

/** `ready` resolves when the store answered for the first time, or after `callMs`. */
export function openRedisStore(services: RedisStoreServices): { readonly store: Store; readonly ready: Promise<void> } {
  const { client, timers, clock, callMs, around = {} } = services
  const connection = openRedisConnection({
    redis: around.client?.(client, clock) ?? client,
    log: silentLog,
    callMs,
    timers,
  })
  const store = makeRedisStore({ connection, clock, log: silentLog })
  const changed = around.counters?.(store.counters, connection)
  const counters = changed === undefined ? store.counters : { ...store.counters, ...changed }
  return { store: { ...store, counters }, ready: connection.ready(callMs) }
}
