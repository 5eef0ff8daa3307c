/**
 * The store that several nodes share: Redis or Valkey, alone, behind sentinels or as a cluster. Names and values are
 * those of existing gateways (docs/reference/redis-layout.md#redis-layout), so that a node joins them and counts jointly with them.
 *
 * `redis-link.ts` is the way to Redis, its deadlines and outages; `redis-sessions.ts`, `redis-counters.ts`,
 * `redis-responses.ts`, `redis-records.ts` and `redis-lists.ts` have the verbs; `scripts/` what Redis runs for them.
 * Signals between nodes are in `../signals-redis/`.
 */
import type { Clock, DedupKeys, Log, Store } from '@turnpike/core'
import { systemClock } from '../clock-system/clock-system.ts'
import { makeQuotaNotes } from './quota-notes.ts'
import { makeRedisCounters } from './redis-counters.ts'
import { makeRedisDedupKeys } from './redis-dedup-keys.ts'
import type { RedisLink } from './redis-link.ts'
import { makeRedisLists } from './redis-lists.ts'
import { makeRedisRecords } from './redis-records.ts'
import { makeRedisResponses } from './redis-responses.ts'
import { makeRedisSessions } from './redis-sessions.ts'
import { makeStoreTime } from './store-time.ts'
import { every } from './timers.ts'

export { makeRedisClient, type RedisClient, type RedisConnection, type RedisTls } from './connection-options.ts'
export { makeRedisRecordsSink, type RecordsSinkOptions } from './records-sink.ts'
export { type LinkCounts, makeRedisLink, type RedisLink, type RedisLinkOptions } from './redis-link.ts'
export type { Timers } from './timers.ts'

export interface RedisStoreOptions {
  /** The way to Redis; the store closes it. */
  readonly link: RedisLink
  /** Another Redis for cached answers; default: the same. */
  readonly cacheLink?: RedisLink
  /** Decides what is over on this node; the system's by default. */
  readonly clock?: Clock
  readonly log: Log
  /** Nodes that share the rates of the default algorithm now. Default: this one alone. */
  readonly nodes?: () => number
  /** `drl_threshold`: a rate of fewer requests a second for each node is counted in Redis. Default: 5. */
  readonly threshold?: number
  /** Whether names of keys are hashed, as in the gateway's settings: names of counters depend on it. Default: false. */
  readonly hashKeys?: boolean
  /** Vendor word. Default: `svc`. */
  readonly vendor?: string
  /** Told to the others at each connection, as existing nodes do; absent: nothing is. */
  readonly versionText?: string
  /** Longest body of a cached answer, in bytes; 0: none is kept. Default: 4 MiB. */
  readonly maxBodyBytes?: number
}

export interface RedisStore extends Store {
  readonly dedupKeys: DedupKeys
}

const keyPrefix = 'apikey-'
const orgPrefix = 'orgkey.'

/** How often the time of Redis is asked for. */
const learnTimeMs = 30_000

export function makeRedisStore(options: RedisStoreOptions): RedisStore {
  const { link, cacheLink = link, clock = systemClock, log, nodes = () => 1, threshold = 5 } = options
  const { maxBodyBytes = 4 * 1024 * 1024, vendor = 'svc', versionText, hashKeys = false } = options
  const time = makeStoreTime(link, clock)
  const notes = { key: makeQuotaNotes(link, keyPrefix), organisation: makeQuotaNotes(link, orgPrefix) }
  const counters = makeRedisCounters({ link, clock, time, nodes, threshold, hashKeys, notes })
  link.onReady(() => {
    void time.learn()
    if (versionText !== undefined) {
      link.call((redis) => redis.set('version-check-gateway', versionText)).catch(() => undefined)
    }
  })
  const stopLearning = every(link.timers, learnTimeMs, () => void time.learn())
  return {
    sessions: makeRedisSessions(link, keyPrefix, clock, log),
    organisations: makeRedisSessions(link, orgPrefix, clock, log),
    counters,
    responses: makeRedisResponses({ link: cacheLink, clock, maxBodyBytes }),
    records: { ...makeRedisRecords(link), ...makeRedisLists(link) },
    dedupKeys: makeRedisDedupKeys(link),
    check: () => link.check(`${vendor}-liveness-probe`),
    async close() {
      stopLearning()
      counters.close()
      await Promise.all([notes.key.close(), notes.organisation.close()])
      await Promise.all([link.close(), cacheLink.close()])
    },
  } satisfies RedisStore
}
