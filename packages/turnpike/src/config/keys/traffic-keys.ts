/** Keys of traffic, limits, uptime tests, logs and analytics. Source: docs/reference/configuration.md#traffic-keys. */
import { anything, boolean, field, integer, list, map, number, object, oneOf, text, withDefault } from '@turnpike/core'

const limitKeys = {
  enableRedisRollingLimiter: boolean,
  enableFixedWindowRateLimiter: boolean,
  enableSentinelRateLimiter: boolean,
  drlEnableSentinelRateLimiter: boolean,
  enableNonTransactionalRateLimiter: boolean,
  enableRateLimitSmoothing: boolean,
  drlThreshold: withDefault(number, 5),
  drlNotificationFrequency: field(withDefault(integer, 2), { description: 'Seconds.' }),
  managementNode: boolean,
  rateLimitResponseHeaders: field(oneOf(['quotas', 'rate_limits'], 'quotas'), {
    description: 'What X-RateLimit headers speak of.',
  }),
  rateLimitHeaders: field(oneOf(['recorded', 'ietf'], 'recorded'), {
    description: '"ietf" adds RateLimit, RateLimit-Policy and Retry-After.',
  }),
}

const upstreamKeys = {
  proxyDefaultTimeout: field(withDefault(number, 30), { description: 'Seconds.' }),
  maxIdleConnections: integer,
  maxIdleConnectionsPerHost: integer,
  maxConnTime: integer,
  closeConnections: boolean,
  proxyCloseConnections: boolean,
  proxyEnableHttp2: field(boolean, { description: 'Offers HTTP/2 to upstreams behind TLS.' }),
  proxySslInsecureSkipVerify: boolean,
  proxySslMinVersion: integer,
  proxySslMaxVersion: integer,
  proxySslCiphers: list(text),
  proxySslDisableRenegotiation: boolean,
  sslForceCommonNameCheck: field(boolean, { description: 'Upstream certificates must carry the host as common name.' }),
  dnsCache: object({ enabled: boolean, ttl: withDefault(integer, 3600), multipleIpsHandleStrategy: text }),
  ignoreEndpointCase: boolean,
  versionHeader: field(text, { description: 'Response header that names the default version used.' }),
  serviceDiscovery: object({ defaultCacheTimeout: field(integer, { description: 'Seconds.' }) }),
  enableJsvm: field(boolean, { description: 'Scripts of definitions run.' }),
  jsvmTimeout: field(integer, { description: 'Seconds that a script may run, including its HTTP calls; default: 5.' }),
  disableVirtualPathBlobs: field(boolean, { description: 'Sources inside of definitions are not read.' }),
  svcJsPath: field(text, { description: 'A script that is read first into the scope of every API.' }),
  tykJsPath: field(text, { description: 'The same with the vendor word "tyk".' }),
  enableBundleDownloader: field(boolean, { description: 'Bundles of scripts are loaded.' }),
  bundleBaseUrl: field(text, { description: 'Where bundles are: an http, https or file URL.' }),
  bundleInsecureSkipVerify: field(boolean, { description: 'The certificate of the bundle server is not verified.' }),
  globalSessionCacheTimeout: integer,
}

const uptimeKeys = {
  uptimeTests: object({
    disable: boolean,
    pollerGroup: text,
    config: object({
      failureTriggerSampleSize: withDefault(integer, 3),
      timeWait: field(withDefault(integer, 10), { description: 'Seconds.' }),
      checkerPoolSize: integer,
      enableUptimeAnalytics: boolean,
    }),
  }),
}

const logKeys = {
  logLevel: oneOf(['info', 'debug', 'warn', 'error'], 'info'),
  logFormat: oneOf(['standard', 'default', 'json'], 'standard'),
  track404Logs: field(boolean, { wireName: 'track_404_logs', description: 'Unknown paths are logged as errors.' }),
  accessLogs: object({ enabled: boolean, template: list(text) }),
}

const analyticsKeys = {
  enableAnalytics: boolean,
  enableDetailedRecording: boolean,
  analyticsConfig: object({
    type: text,
    ignoredIps: list(text),
    enableDetailedRecording: boolean,
    enableGeoIp: boolean,
    geoIpDbPath: text,
    enableMultipleAnalyticsKeys: boolean,
    purgeInterval: number,
    poolSize: integer,
    recordsBufferSize: integer,
    storageExpirationTime: withDefault(integer, 60),
    serializerType: text,
    normaliseUrls: object({
      enabled: boolean,
      normaliseUuids: boolean,
      normaliseUlids: boolean,
      normaliseNumbers: boolean,
      customPatterns: list(text),
    }),
  }),
  tagHeaders: list(text),
  headerMap: map(anything),
}

export const trafficKeys = { ...limitKeys, ...upstreamKeys, ...uptimeKeys, ...logKeys, ...analyticsKeys }
