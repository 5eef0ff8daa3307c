/** Keys of traffic, limits, uptime tests, logs and analytics. Source: docs/reference/configuration.md#traffic-keys. */
import {
  anything,
  boolean,
  described,
  field,
  integer,
  list,
  map,
  number,
  object,
  oneOf,
  text,
  withDefault,
} from '@turnpike/core/lib'

const limitKeys = {
  enableRedisRollingLimiter: described('Counts rates in a rolling window that all nodes share.', boolean),
  enableFixedWindowRateLimiter: described('Counts rates in fixed windows that all nodes share.', boolean),
  enableSentinelRateLimiter: described(
    'Counts rates beside the request; a key over its rate is blocked for the period.',
    boolean,
  ),
  drlEnableSentinelRateLimiter: described(
    'The rolling window rejects one request earlier, as original gateways do.',
    boolean,
  ),
  enableNonTransactionalRateLimiter: boolean,
  enableRateLimitSmoothing: described(
    'Raises and lowers the rate of keys in steps, as their `smoothing` says.',
    boolean,
  ),
  drlThreshold: described(
    'Rates up to this number per second and node are counted in a shared rolling window.',
    withDefault(number, 5),
  ),
  drlNotificationFrequency: described('Seconds.', withDefault(integer, 2)),
  managementNode: described(
    'The node serves no requests of clients, so the others do not count it when they share rates.',
    boolean,
  ),
  rateLimitResponseHeaders: described('What X-RateLimit headers speak of.', oneOf(['quotas', 'rate_limits'], 'quotas')),
  rateLimitHeaders: described(
    '"ietf" adds RateLimit, RateLimit-Policy and Retry-After.',
    oneOf(['recorded', 'ietf'], 'recorded'),
  ),
}

const upstreamKeys = {
  proxyDefaultTimeout: described('Seconds.', withDefault(number, 30)),
  maxIdleConnections: integer,
  maxIdleConnectionsPerHost: integer,
  maxConnTime: integer,
  closeIdleConnections: boolean,
  closeConnections: described('Closes the connection of a client after each request.', boolean),
  proxyCloseConnections: described('Closes connections to upstreams after each request.', boolean),
  proxyEnableHttp2: described('Offers HTTP/2 to upstreams behind TLS.', boolean),
  proxySslInsecureSkipVerify: described('Certificates of upstreams are not verified.', boolean),
  proxySslMinVersion: described(
    'Lowest version of TLS to upstreams: 771 is 1.2, 772 is 1.3. Default: 0, that of Node.',
    integer,
  ),
  proxySslMaxVersion: described(
    'Highest version of TLS to upstreams: 771 is 1.2, 772 is 1.3. Default: 0, that of Node.',
    integer,
  ),
  proxySslCiphers: described('Cipher suites for upstreams. Default: those of Node.', list(text)),
  proxySslDisableRenegotiation: boolean,
  sslForceCommonNameCheck: described('Upstream certificates must carry the host as common name.', boolean),
  dnsCache: object({ enabled: boolean, ttl: withDefault(integer, 3600), multipleIpsHandleStrategy: text }),
  ignoreEndpointCase: described('Path rules of all APIs match in any case.', boolean),
  versionHeader: described('Response header that names the default version used.', text),
  serviceDiscovery: object({ defaultCacheTimeout: described('Seconds.', integer) }),
  enableJsvm: described('Scripts of definitions run.', boolean),
  jsvmTimeout: described('Seconds that a script may run, including its HTTP calls; default: 5.', integer),
  disableVirtualPathBlobs: described('Sources inside of definitions are not read.', boolean),
  svcJsPath: described('A script that is read first into the scope of every API.', text),
  tykJsPath: described('The same with the vendor word "tyk".', text),
  enableBundleDownloader: described('Bundles of scripts are loaded.', boolean),
  bundleBaseUrl: described('Where bundles are: an http, https or file URL.', text),
  bundleInsecureSkipVerify: described('The certificate of the bundle server is not verified.', boolean),
  globalSessionCacheTimeout: integer,
}

const uptimeKeys = {
  uptimeTests: object({
    disable: described('Runs no uptime tests.', boolean),
    pollerGroup: described('Nodes with the same name share one poller.', text),
    config: object({
      failureTriggerSampleSize: described(
        'Number of equal results in a row that make a host down or up.',
        withDefault(integer, 3),
      ),
      timeWait: described('Seconds.', withDefault(integer, 10)),
      checkerPoolSize: integer,
      enableUptimeAnalytics: boolean,
    }),
  }),
}

const logKeys = {
  logLevel: described('Least severe lines that are logged.', oneOf(['info', 'debug', 'warn', 'error'], 'info')),
  logFormat: described(
    'standard and default: text. json: a JSON object for each line.',
    oneOf(['standard', 'default', 'json'], 'standard'),
  ),
  track404Logs: field(described('Unknown paths are logged as errors.', boolean), { wireName: 'track_404_logs' }),
  accessLogs: object({
    enabled: described('Logs a line for each request.', boolean),
    template: described('Fields of the lines. Default: all.', list(text)),
  }),
}

const analyticsKeys = {
  enableAnalytics: described('Writes an analytics record for each request.', boolean),
  enableDetailedRecording: described('Analytics records contain requests and responses.', boolean),
  analyticsConfig: object({
    type: described('Where records go; empty: to the storage.', text),
    ignoredIps: described('Addresses of clients whose requests are not recorded.', list(text)),
    enableDetailedRecording: described('Analytics records contain requests and responses.', boolean),
    enableGeoIp: boolean,
    geoIpDbPath: text,
    enableMultipleAnalyticsKeys: described('Distributes records over ten lists in Redis.', boolean),
    purgeInterval: number,
    poolSize: integer,
    recordsBufferSize: described('Number of records that are written together, at least 1000.', integer),
    storageExpirationTime: described(
      'Seconds for which a list of records without a reader is kept in Redis; -1: for ever.',
      withDefault(integer, 60),
    ),
    serializerType: text,
    normaliseUrls: object({
      enabled: described('Replaces variable parts of paths in records.', boolean),
      normaliseUuids: described('Replaces UUIDs by {uuid}.', boolean),
      normaliseUlids: described('Replaces ULIDs by {ulid}.', boolean),
      normaliseNumbers: described('Replaces segments that are numbers by {id}.', boolean),
      customPatterns: described('Regular expressions; each match is replaced by {var}.', list(text)),
    }),
  }),
  tagHeaders: described('Request headers whose values become tags of analytics records.', list(text)),
  headerMap: map(anything),
}

export const trafficKeys = { ...limitKeys, ...upstreamKeys, ...uptimeKeys, ...logKeys, ...analyticsKeys }
