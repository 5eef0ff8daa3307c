/** Store, signals and analytics sink of a node on Redis. Source: docs/reference/redis-layout.md. */
import { hostname } from 'node:os'
import { makeRedisSignals, type RedisSignals } from '@turnpike/adapters/signals-redis'
import {
  makeRedisLink,
  makeRedisRecordsSink,
  makeRedisStore,
  type RedisConnection,
  type RedisLink,
} from '@turnpike/adapters/store-redis'
import type { AnalyticsSink, GatewaySettings, Handle } from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'
import type { Platform } from './create-platform.ts'
import { readPem } from './read-pem.ts'
import { describeRedis, redisConnectionOf } from './redis-connection.ts'
import type { Storage } from './storage.ts'
import type { WiredTracing } from './wire-tracing.ts'

/** How long the start waits for Redis. After that, the gateway starts without it and keeps reconnecting. */
const startWaitMs = 1000
/** Timeout of one call, unless `storage.timeout` is shorter. */
const callTimeoutMs = 1000

export async function wireRedis(platform: Platform & WiredTracing): Promise<Storage> {
  const { config, settings, clock, log, storeObserver: observer, lifecycle } = platform
  const redis = redisConnectionOf(config.storage, 'storage')
  const open = (connection: RedisConnection): RedisLink =>
    makeRedisLink({
      ...{ redis: connection, log, observer },
      callMs: Math.min(callTimeoutMs, connection.connectMs ?? callTimeoutMs),
    })
  const link = open(redis)
  const cacheLink = config.enableSeparateCacheStore
    ? open(redisConnectionOf(config.cacheStorage, 'cache_storage'))
    : undefined
  const recordsLink =
    config.enableAnalytics && config.enableSeparateAnalyticsStore
      ? open(redisConnectionOf(config.analyticsStorage, 'analytics_storage'))
      : undefined
  const load = requestCounter()
  const signals = makeSignals(platform, link, redis, load.perSecond)
  const store = makeRedisStore({
    link,
    clock,
    log,
    nodes: signals.nodes,
    threshold: config.drlThreshold > 0 ? config.drlThreshold : 5,
    maxBodyBytes: settings.cache.maxBytes > 0 ? settings.cache.maxBodyBytes : 0,
    hashKeys: settings.keys.hashKeys,
    layout: config.storage.layout,
    vendor: settings.vendor,
    versionText: settings.versionText,
    ...(cacheLink === undefined ? {} : { cacheLink }),
  })
  await link.ready(startWaitMs)
  lifecycle.onClose(async () => {
    signals.close()
    await recordsLink?.close()
    await store.close()
  })
  return {
    store,
    storeDescription: describeRedis(redis),
    shared: true,
    signals,
    dedupKeys: store.dedupKeys,
    storeSinks: config.enableAnalytics ? [makeSink(config, settings, recordsLink ?? link)] : [],
    countRequests: load.countRequests,
    storeCounts: link.counts,
  }
}

function makeSignals(
  { config, settings, ids, log }: Platform,
  link: RedisLink,
  redis: RedisConnection,
  load: () => number,
): RedisSignals {
  const seconds = config.drlNotificationFrequency
  // Only the `local` algorithm divides limits among nodes, so only then must the other nodes count this one.
  // Turnpike divides by the number of nodes; the load in the notices is for nodes of the original gateway.
  const announcesNode = settings.limits.algorithm === 'local' && !config.managementNode
  return makeRedisSignals({
    link,
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
            id: `solo-${dashed(ids.uuid())}`,
            tagHash: '',
            requestsPerSecond: load,
            noticeIntervalMs: (seconds > 0 ? seconds : 2) * 1000,
          },
        }
      : {}),
  })
}

function makeSink({ analyticsConfig }: GatewayConfig, { vendor }: GatewaySettings, link: RedisLink): AnalyticsSink {
  return makeRedisRecordsSink({
    link,
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

function dashed(uuid: string): string {
  return uuid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
