/** Store, signals and analytics sink of a node on Redis. Source: docs/reference/redis-layout.md. */
import { hostname } from 'node:os'
import { makeRedisSignals, type RedisSignals } from '@turnpike/adapters/signals-redis'
import {
  makeRedisRecordsSink,
  makeRedisStore,
  openRedisConnection,
  type RedisConnection,
  type RedisConnectionOptions,
} from '@turnpike/adapters/store-redis'
import { dashedUuid } from '@turnpike/core/lib'
import type { AnalyticsSink } from '@turnpike/core/observability'
import type { GatewaySettings, Handle } from '@turnpike/core/ports'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { Platform } from './create-platform.ts'
import { readPem } from './read-pem.ts'
import { describeRedis, redisConnectionOptionsOf } from './redis-connection-options.ts'
import type { Storage } from './storage.ts'
import type { WiredTracing } from './wire-tracing.ts'

/** How long the start waits for Redis. After that, the gateway starts without it and keeps reconnecting. */
const startWaitMs = 1000
/** Timeout of one call, unless `storage.timeout` is shorter. */
const callTimeoutMs = 1000

export async function wireRedis(platform: Platform & WiredTracing): Promise<Storage> {
  const { config, settings, clock, log, storeObserver: observer, lifecycle } = platform
  const redis = redisConnectionOptionsOf(config.storage, 'storage')
  const open = (options: RedisConnectionOptions): RedisConnection =>
    openRedisConnection({
      ...{ redis: options, log, observer },
      callMs: Math.min(callTimeoutMs, options.connectMs ?? callTimeoutMs),
    })
  const connection = open(redis)
  const cacheConnection = config.enableSeparateCacheStore
    ? open(redisConnectionOptionsOf(config.cacheStorage, 'cache_storage'))
    : undefined
  const recordsConnection =
    config.enableAnalytics && config.enableSeparateAnalyticsStore
      ? open(redisConnectionOptionsOf(config.analyticsStorage, 'analytics_storage'))
      : undefined
  const load = requestCounter()
  const signals = makeSignals(platform, connection, redis, load.perSecond)
  const store = makeRedisStore({
    connection,
    clock,
    log,
    // The workers of this machine are known at once; the notices of other nodes arrive a few seconds after the start.
    nodes: () => Math.max(signals.nodes(), platform.options.worker === undefined ? 1 : config.workers),
    threshold: config.drlThreshold > 0 ? config.drlThreshold : 5,
    maxBodyBytes: settings.cache.maxBytes > 0 ? settings.cache.maxBodyBytes : 0,
    hashKeys: settings.keys.hashKeys,
    layout: config.storage.layout,
    vendor: settings.vendor,
    versionText: settings.versionText,
    ...(cacheConnection === undefined ? {} : { cacheConnection }),
  })
  await connection.ready(startWaitMs)
  lifecycle.onClose(async () => {
    signals.close()
    await recordsConnection?.close()
    await store.close()
  })
  return {
    store,
    storeDescription: describeRedis(redis),
    shared: true,
    signals,
    dedupKeys: store.dedupKeys,
    storeSinks: config.enableAnalytics ? [makeSink(config, settings, recordsConnection ?? connection)] : [],
    countRequests: load.countRequests,
    storeCounts: connection.counts,
  }
}

function makeSignals(
  { config, settings, ids, log }: Platform,
  connection: RedisConnection,
  redis: RedisConnectionOptions,
  load: () => number,
): RedisSignals {
  const seconds = config.drlNotificationFrequency
  // Only the `local` algorithm divides limits among nodes, so only then must the other nodes count this one.
  // Turnpike divides by the number of nodes; the load in the notices is for nodes of the original gateway.
  const announcesNode = settings.limits.algorithm === 'local' && !config.managementNode
  return makeRedisSignals({
    connection,
    redis: config.suppressRedisSignalReload ? undefined : redis,
    vendor: settings.vendor,
    signing: {
      secret: config.nodeSecret,
      acceptsAll: config.allowInsecureConfigs,
      ...(config.publicKeyPath === '' ? {} : { publicKey: readPem(config.publicKeyPath, 'public_key_path') }),
      ...(config.privateKeyPath === '' ? {} : { privateKey: readPem(config.privateKeyPath, 'private_key_path') }),
    },
    log,
    ...(announcesNode
      ? {
          node: {
            hostName: hostname(),
            id: `solo-${dashedUuid(ids.uuid())}`,
            tagHash: '',
            requestsPerSecond: load,
            noticeIntervalMs: (seconds > 0 ? seconds : 2) * 1000,
          },
        }
      : {}),
  })
}

function makeSink(
  { analyticsConfig }: GatewayConfig,
  { vendor }: GatewaySettings,
  connection: RedisConnection,
): AnalyticsSink {
  return makeRedisRecordsSink({
    connection,
    vendor,
    several: analyticsConfig.enableMultipleAnalyticsKeys,
    lifeSeconds: analyticsConfig.storageExpirationTime,
  })
}

/** Counts requests for the load in the notices to other nodes. Only nodes of the original gateway divide limits by load. */
function requestCounter(): { countRequests(handle: Handle): Handle; perSecond(): number } {
  let count = 0
  let since = performance.now()
  return {
    countRequests: (handle) => (request) => {
      count += 1
      return handle(request)
    },
    perSecond() {
      const now = performance.now()
      const rate = (count * 1000) / Math.max(1, now - since)
      count = 0
      since = now
      return rate
    },
  }
}
