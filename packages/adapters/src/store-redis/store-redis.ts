/**
 * The store that several nodes share: Redis or Valkey, as a single server, behind sentinels or as a cluster. Names and
 * values are compatible with the original gateway (docs/reference/redis-layout.md#redis-layout), so that its nodes and
 * Turnpike nodes can share counters.
 */
import type { Clock, DedupKeys, Log, Store } from '@turnpike/core/ports'
import { systemClock } from '../clock-system/clock-system.ts'
import { makeQuotaNotes } from './quota-notes.ts'
import type { RedisConnection } from './redis-connection.ts'
import { makeRedisCounters } from './redis-counters.ts'
import { makeRedisDedupKeys } from './redis-dedup-keys.ts'
import { makeRedisLists } from './redis-lists.ts'
import { makeRedisNames, type RedisLayout } from './redis-names.ts'
import { makeRedisRecords } from './redis-records.ts'
import { makeRedisResponses } from './redis-responses.ts'
import { makeRedisSessions } from './redis-sessions.ts'
import { makeStoreTime } from './store-time.ts'
import { every } from './timers.ts'

export type { ServiceTls as RedisTls } from '../service-connection/service-connection.ts'
export { makeRedisClient, type RedisClient, type RedisConnectionOptions } from './connection-options.ts'
export {
  type ConnectionCounts,
  type OpenRedisOptions,
  openRedisConnection,
  type RedisConnection,
} from './redis-connection.ts'
export type { RedisLayout } from './redis-names.ts'
export { makeRedisRecordsSink, type RecordsSinkOptions } from './redis-records-sink.ts'
export type { Timers } from './timers.ts'

export interface RedisStoreOptions {
  /** Connection to Redis; the store closes it. */
  readonly connection: RedisConnection
  /** Another Redis for cached responses. Default: `connection`. */
  readonly cacheConnection?: RedisConnection
  /** Clock for expiry on this node. Default: the system clock. */
  readonly clock?: Clock
  readonly log: Log
  /** Returns the number of nodes that share rates of the default algorithm. Default: 1. */
  readonly nodes?: () => number
  /** `drl_threshold`: a rate below this number of requests per second and node is counted in Redis. Default: 5. */
  readonly threshold?: number
  /** The gateway's setting `hash_keys`, on which names of counters depend. Default: false. */
  readonly hashKeys?: boolean
  /**
   * Names of sessions and counters: those of the original gateway, or with hash tags, so that a Redis Cluster makes a
   * decision in one call. Default: `recorded`.
   */
  readonly layout?: RedisLayout
  /** Vendor word. Default: `svc`. */
  readonly vendor?: string
  /** Version that this node publishes at each connection, as the original gateway does. Absent: none. */
  readonly versionText?: string
  /** Maximum size of a cached body in bytes; 0: nothing is cached. Default: 4 MiB. */
  readonly maxBodyBytes?: number
}

export interface RedisStore extends Store {
  readonly dedupKeys: DedupKeys
}

const keyPrefix = 'apikey-'
const orgPrefix = 'orgkey.'

/** Interval of time synchronisation with Redis. */
const learnTimeMs = 30_000

export function makeRedisStore(options: RedisStoreOptions): RedisStore {
  const { connection, cacheConnection = connection, clock = systemClock, log, nodes = () => 1, threshold = 5 } = options
  const { maxBodyBytes = 4 * 1024 * 1024, vendor = 'svc', versionText, hashKeys = false, layout = 'recorded' } = options
  const time = makeStoreTime(connection, clock)
  const names = makeRedisNames(layout, hashKeys)
  const keyOf = (prefix: string) => (storedName: string) => names.session(prefix, storedName)
  const notes = {
    key: makeQuotaNotes(connection, keyOf(keyPrefix)),
    organisation: makeQuotaNotes(connection, keyOf(orgPrefix)),
  }
  const counters = makeRedisCounters({ connection, clock, time, nodes, threshold, names, notes })
  connection.onReady(() => {
    void time.learn()
    if (versionText !== undefined) {
      connection.call((redis) => redis.set('version-check-gateway', versionText)).catch(() => undefined)
    }
  })
  const stopLearning = every(connection.timers, learnTimeMs, () => void time.learn())
  return {
    sessions: makeRedisSessions({ connection, prefix: keyPrefix, names, clock, log }),
    organisations: makeRedisSessions({ connection, prefix: orgPrefix, names, clock, log }),
    counters,
    responses: makeRedisResponses({ connection: cacheConnection, clock, maxBodyBytes }),
    records: { ...makeRedisRecords(connection), ...makeRedisLists(connection) },
    dedupKeys: makeRedisDedupKeys(connection),
    check: () => connection.check(`${vendor}-liveness-probe`),
    async close() {
      stopLearning()
      counters.close()
      await Promise.all([notes.key.close(), notes.organisation.close()])
      await Promise.all([connection.close(), cacheConnection.close()])
    },
  } satisfies RedisStore
}
