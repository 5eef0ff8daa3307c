/** Converts a configuration to engine settings, including special values such as 0 for the default timeout. */
import { type HashFunction, makeAddressSet, vendorForms } from '@turnpike/core/lib'
import { defaultSettings, type GatewaySettings } from '@turnpike/core/ports'
import type { OAuthSettings } from '@turnpike/mgmt-api'
import type { GatewayConfig } from './config-shape.ts'
import { sharesDashboardPort } from './dashboard-port.ts'
import { portRulesOf } from './port-rules.ts'

/** Maximum age of a cached session if other nodes write to the store, in case a change signal is lost. */
const cachedForMs = 10_000

/** Cookies of dashboard sessions. A copy, because most gateways do not load the package. */
export const dashboardCookies: readonly string[] = ['authorisation', 'portal_session']

export function toSettings(config: GatewayConfig): GatewaySettings {
  const { httpServerOptions: http, uptimeTests } = config
  return {
    vendor: vendorForms(config.vendor).lower,
    // The version of the implemented management API, which clients check; not the version of this package.
    versionText: defaultSettings.versionText,
    hostname: config.hostname,
    ports: portRulesOf(config),
    customDomains: config.enableCustomDomains,
    hideGeneratorHeader: config.hideGeneratorHeader,
    closeConnections: config.closeConnections,
    maxBodyBytes: http.maxRequestBodySize,
    maxReadBodyBytes: orElse(config.maxReadBodySize, 1_048_576),
    maxReadResponseBytes: orElse(config.maxReadResponseSize, 1_048_576),
    maxResponseBytes: http.maxResponseBodySize,
    honourActive: config.honourActive,
    keepsCredentials: config.detailedCredentials === 'recorded',
    strict: config.strict,
    scripts: scriptsOf(config),
    routing: routingOf(config),
    keys: keysOf(config),
    lifetimes: {
      forceGlobal: config.forceGlobalSessionLifetime,
      globalSeconds: config.globalSessionLifetime,
      respectKeyExpiration: config.sessionLifetimeRespectsKeyExpiration,
    },
    clientCertificates: config.security.certificates.apis ?? [],
    keySets: { lifetimeMs: orElse(config.jwks.cache.timeout, 240) * 1000, insecure: config.jwtSslInsecureSkipVerify },
    limits: limitsOf(config),
    headers: {
      recorded: config.rateLimitResponseHeaders,
      ietf: config.rateLimitHeaders === 'ietf',
      version: config.versionHeader,
    },
    discoveryLifetimeMs: orElse(config.serviceDiscovery.defaultCacheTimeout, 120) * 1000,
    uptime: {
      disabled: uptimeTests.disable,
      pollerGroup: uptimeTests.pollerGroup,
      samples: orElse(uptimeTests.config.failureTriggerSampleSize, 3),
      everyMs: orElse(uptimeTests.config.timeWait, 10) * 1000,
    },
    upstream: upstreamOf(config),
    cache: {
      maxBytes: Math.max(0, config.cache.maxBytes),
      maxBodyBytes: Math.max(0, config.cache.maxBodyBytes),
      mode: config.cacheMode,
    },
    overrideMessages: overridesOf(config),
    mcpCountEachStage: config.mcpCountEachStage,
    mcpOtherBodies: config.mcpOtherBodies,
    undeclaredResponseProcessors: config.undeclaredResponseProcessors,
    storageOutage: config.storageOutage,
    bearerErrors: {
      oauth: config.oauthRfc6749Errors,
      jwt: config.jwtRfc6750Errors,
      token: config.authErrors === 'rfc6750',
    },
    gatewayErrors: config.upstreamErrors === '502',
  }
}

function scriptsOf(config: GatewayConfig): NonNullable<GatewaySettings['scripts']> {
  return {
    enabled: config.enableJsvm,
    timeoutMs: orElse(config.jsvmTimeout, 5) * 1000,
    allowsBlobs: !config.disableVirtualPathBlobs,
    commonFile: config.svcJsPath || config.tykJsPath,
    folder: config.middlewarePath,
  }
}

function routingOf({
  httpServerOptions: http,
  ignoreEndpointCase,
  headRules,
  trustedProxies,
}: GatewayConfig): GatewaySettings['routing'] {
  const proxies = trustedProxies ?? []
  return {
    strictRoutes: http.enableStrictRoutes,
    skipUrlCleaning: http.skipUrlCleaning,
    skipTargetPathEscaping: http.skipTargetPathEscaping,
    pathPrefixMatching: http.enablePathPrefixMatching,
    pathSuffixMatching: http.enablePathSuffixMatching,
    ignoreEndpointCase,
    headRules,
    xffDepth: http.xffDepth,
    ...(proxies.length === 0 ? {} : { trustsPeer: makeAddressSet(proxies) }),
  }
}

function keysOf(config: GatewayConfig): GatewaySettings['keys'] {
  const isShared = config.storage.type === 'redis'
  return {
    hashKeys: config.hashKeys,
    counterNaming: isShared ? config.storage.layout : 'recorded',
    hashFunction: hashFunctionOf(config.hashKeyFunction),
    hashFunctionFallback: (config.hashKeyFunctionFallback ?? []).map(hashFunctionOf),
    actionsByUsername: !config.disableKeyActionsByUsername,
    minTokenLength: orElse(config.minTokenLength, 3),
    allowMasterKeys: config.allowMasterKeys,
    sessionProof: config.sessionProof,
    cachedSessions: config.localSessionCache.disableCachedSessionState ? 0 : defaultSettings.keys.cachedSessions,
    ...(isShared ? { cachedForMs } : {}),
  }
}

function limitsOf(config: GatewayConfig): GatewaySettings['limits'] {
  return {
    algorithm: algorithmOf(config),
    rollingOneLess: config.drlEnableSentinelRateLimiter,
    smoothing: config.enableRateLimitSmoothing,
    enforceOrgQuotas: config.enforceOrgQuotas,
    orgOffThread: config.experimentalProcessOrgOffThread,
  }
}

function upstreamOf(config: GatewayConfig): GatewaySettings['upstream'] {
  const { enableWebsockets } = config.httpServerOptions
  return {
    timeoutMs: Math.round(orElse(config.proxyDefaultTimeout, 30) * 1000),
    insecure: config.proxySslInsecureSkipVerify,
    publicUrlsOnly: config.privateUrls === 'forbid',
    closeConnections: config.proxyCloseConnections,
    http2: config.proxyEnableHttp2,
    ownCookies: config.dashboard.enabled ? dashboardCookies : [],
    sandboxesPages: sharesDashboardPort(config) && config.dashboard.upstreamPages === 'sandbox',
    upgrades: enableWebsockets ?? true,
    graphqlUpgrades: enableWebsockets === true,
    tls: {
      minVersion: config.proxySslMinVersion,
      maxVersion: config.proxySslMaxVersion,
      ciphers: config.proxySslCiphers ?? [],
      certificates: config.security.certificates.upstream ?? {},
      pinnedKeys: config.security.pinnedPublicKeys ?? {},
      checksCommonName: config.sslForceCommonNameCheck,
    },
  }
}

export function toOAuthSettings(config: GatewayConfig): OAuthSettings {
  return {
    tokenSeconds: orElse(config.oauthTokenExpire, 3600),
    refreshSeconds: orElse(config.oauthRefreshTokenExpire, 1_209_600),
    retainSeconds: Math.max(0, config.oauthTokenExpiredRetainPeriod),
    redirectSeparator: config.oauthRedirectUriSeparator,
    redirectPrefix: config.oauthRedirectUriPrefix,
    errorStatus: orElse(config.oauthErrorStatusCode, 403),
    rfc6749: config.oauthRfc6749Errors,
  }
}

/** Valid names of hash functions. The empty name is the default of original gateways, in its oldest format. */
export const hashFunctions: readonly string[] = ['', 'murmur32', 'murmur64', 'murmur128', 'sha256']

/** Unknown names mean murmur64. Source: docs/reference/sessions.md#key-names. */
export function hashFunctionOf(word: string): HashFunction | '' {
  return hashFunctions.includes(word) ? (word as HashFunction | '') : 'murmur64'
}

/** The first switch that is on wins. Source: docs/reference/rate-limits.md#choice-of-the-algorithm. */
function algorithmOf(config: GatewayConfig): GatewaySettings['limits']['algorithm'] {
  if (config.enableFixedWindowRateLimiter) return 'fixed'
  if (config.enableSentinelRateLimiter) return 'sentinel'
  return config.enableRedisRollingLimiter ? 'rolling' : 'local'
}

function overridesOf(config: GatewayConfig): NonNullable<GatewaySettings['overrideMessages']> {
  const entries = Object.entries(config.overrideMessages ?? {})
  return new Map(entries.map(([name, { code, message }]) => [name, { status: code, message }]))
}

/** The value if it is above 0, otherwise the default. */
export const orElse = (value: number, byDefault: number): number => (value > 0 ? value : byDefault)
