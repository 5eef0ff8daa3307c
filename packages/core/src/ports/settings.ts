/**
 * Settings of the engine, created by the package that reads the configuration file. Names and defaults follow
 * docs/reference/configuration.md#configuration-keys.
 */
import type { PortRules } from '../http/listen-address.ts'
import type { HashFunction } from '../lib/hash/hash-key-name.ts'
import type { RateAlgorithm } from './rate-limit.ts'

/** The rules of the response cache (docs/reference/response-cache.md#cache-modes). */
export type CacheMode = 'compatible' | 'rfc9111' | 'recorded'

/** How hosts are checked (`uptime_tests` of the configuration). */
export interface UptimeSettings {
  readonly disabled: boolean
  /** Nodes with the same name share one poller. The empty string is also a name. */
  readonly pollerGroup: string
  /** Consecutive equal results that mark a host as down or up. */
  readonly samples: number
  readonly everyMs: number
}

/** Default TLS settings of upstreams, for APIs that set none. */
export interface UpstreamTlsSettings {
  /** TLS version number, for example 771 for TLS 1.2; 0: the platform's default. */
  readonly minVersion: number
  readonly maxVersion: number
  /** Names of cipher suites; empty: the platform's default. */
  readonly ciphers: readonly string[]
  /** Id or file of the client certificate, by host pattern (`*`, `*.domain`, a host). */
  readonly certificates: Readonly<Record<string, string>>
  /** Comma-separated ids, files or fingerprints of the allowed public keys, by host pattern. */
  readonly pinnedKeys: Readonly<Record<string, string>>
  readonly checksCommonName: boolean
}

/** Scripts of users (docs/reference/scripts.md#script-rules). */
export interface ScriptSettings {
  readonly enabled: boolean
  /** Limit of one script in ms, including its HTTP calls. */
  readonly timeoutMs: number
  /** Whether sources inside of definitions are read. */
  readonly allowsBlobs: boolean
  /** Path of a source that is read first into every scope; empty: none. */
  readonly commonFile: string
  /** Folder of scripts by API id. */
  readonly folder: string
}

export interface GatewaySettings {
  /** Vendor word: lower case, as in paths; other forms are derived by `vendor.ts`. */
  readonly vendor: string
  /** Version that /hello reports and that the default User-Agent contains. */
  readonly versionText: string
  /** APIs are served only under this host; empty: any host. */
  readonly hostname: string
  /** TCP ports that APIs may have of their own. Default: any. */
  readonly ports?: PortRules
  readonly customDomains: boolean
  readonly hideGeneratorHeader: boolean
  readonly closeConnections: boolean
  /** Limit of request bodies in bytes; 0: no limit. */
  readonly maxBodyBytes: number
  /** Limit of request bodies that a stage reads whole, in bytes. Default: 1 MiB. */
  readonly maxReadBodyBytes?: number
  /** Limit of response bodies that a stage reads whole, in bytes. Default: 1 MiB. */
  readonly maxReadResponseBytes?: number
  /** A second limit of these response bodies, in bytes; the lower one applies. Default and 0: none. */
  readonly maxResponseBytes?: number
  readonly honourActive: boolean
  /** True: detailed records and events contain credentials as they were sent. Default: they are masked. */
  readonly keepsCredentials?: boolean
  /** Definitions with fields that have no effect are not loaded. Default: false. */
  readonly strict?: boolean
  /** Whether rejected tokens get the statuses and challenges of RFC 6750. Default: no, the recorded statuses. */
  readonly bearerErrors?: { readonly oauth: boolean; readonly jwt: boolean; readonly token?: boolean }
  /** `upstream_errors: "502"`: failed calls of an upstream are 502. Default: 500, as recorded. */
  readonly gatewayErrors?: boolean
  /** Absent: scripts do not run. */
  readonly scripts?: ScriptSettings
  readonly routing: {
    readonly strictRoutes: boolean
    readonly skipUrlCleaning: boolean
    /** Paths are sent to the upstream without percent-encoding. Default: false. */
    readonly skipTargetPathEscaping?: boolean
    readonly pathPrefixMatching: boolean
    readonly pathSuffixMatching: boolean
    readonly ignoreEndpointCase: boolean
    /** `recorded`: rules for GET do not apply to HEAD. Default: they do, unless HEAD has a rule of its own. */
    readonly headRules?: 'compatible' | 'rfc9110' | 'recorded'
    /** Which entry of X-Forwarded-For names the client: 0 the first, n the nth from the right. */
    readonly xffDepth: number
    /** Whether forwarding headers of a peer address count. Default: those of every peer. */
    readonly trustsPeer?: (address: string) => boolean
  }
  readonly keys: {
    readonly hashKeys: boolean
    /** How Redis names counters, for traces. Default: `recorded`. */
    readonly counterNaming?: 'recorded' | 'tagged'
    /** Empty: keys are organisation + id. */
    readonly hashFunction: HashFunction | ''
    readonly hashFunctionFallback: readonly (HashFunction | '')[]
    readonly actionsByUsername: boolean
    readonly minTokenLength: number
    readonly allowMasterKeys: boolean
    /**
     * `recorded`: a session is accepted with every authentication method, not only the one it was created for. Default:
     * `strict`.
     */
    readonly sessionProof?: 'strict' | 'recorded'
    /** Maximum number of cached sessions; the least recently used are evicted first. 0: no cache. */
    readonly cachedSessions: number
    /**
     * Maximum age of a cached session in ms. It limits how long a session stays stale after a lost signal, in a store
     * that other nodes write to. Default: no limit.
     */
    readonly cachedForMs?: number
  }
  readonly lifetimes: {
    readonly forceGlobal: boolean
    readonly globalSeconds: number
    readonly respectKeyExpiration: boolean
  }
  /** `security.certificates.apis`: ids or files of client certificates that every API with mutual TLS accepts. Default: none. */
  readonly clientCertificates?: readonly string[]
  /** Key sets of token issuers. Default: cached for 240 s, server certificates verified. */
  readonly keySets?: { readonly lifetimeMs: number; readonly insecure: boolean }
  readonly limits: {
    readonly algorithm: RateAlgorithm
    /** `drl_enable_sentinel_rate_limiter` with the rolling window. */
    readonly rollingOneLess: boolean
    readonly smoothing: boolean
    readonly enforceOrgQuotas: boolean
    readonly orgOffThread: boolean
  }
  readonly headers: {
    /** `rate_limit_response_headers`: which limit the X-RateLimit headers report. */
    readonly recorded: 'quotas' | 'rate_limits'
    /** `rate_limit_headers: "ietf"`: also send RateLimit, RateLimit-Policy and Retry-After. */
    readonly ietf: boolean
    /** `version_header`: response header that names the default version used; empty: none. */
    readonly version: string
  }
  readonly upstream: {
    readonly timeoutMs: number
    readonly insecure: boolean
    readonly closeConnections: boolean
    /** Whether URLs of definitions other than targets must lead to public addresses. Default: false. */
    readonly publicUrlsOnly?: boolean
    /** Cookies that belong to the gateway and do not reach upstreams. Default: none. */
    readonly ownCookies?: readonly string[]
    /** Whether pages of upstreams get `Content-Security-Policy: sandbox`. Default: false. */
    readonly sandboxesPages?: boolean
    /** Whether `https` upstreams are offered HTTP/2. Default: false. */
    readonly http2?: boolean
    /** Whether protocol upgrades (WebSocket) are proxied. Default: true. */
    readonly upgrades?: boolean
    /** Whether GraphQL APIs negotiate the protocol of an upgrade. Default: false. */
    readonly graphqlUpgrades?: boolean
    /** `proxy_ssl_…` settings, and the gateway's client certificates and pinned keys by host. */
    readonly tls?: UpstreamTlsSettings
  }
  /** `service_discovery.default_cache_timeout` in ms. Default: 120,000. */
  readonly discoveryLifetimeMs?: number
  /** Uptime tests. Absent: none run. */
  readonly uptime?: UptimeSettings
  readonly cache: {
    /** Maximum memory for cached responses, in bytes; 0: no cache. */
    readonly maxBytes: number
    /** Maximum size of a cached body, in bytes. */
    readonly maxBodyBytes: number
    /** `cache_mode` of definitions that have none. Default: `compatible`. */
    readonly mode?: CacheMode
  }
  /** `override_messages`, by name (`auth.key_not_found`, …). Status 0 and empty texts change nothing. */
  readonly overrideMessages?: ReadonlyMap<string, { readonly status: number; readonly message: string }>
  /** Bodies of requests to an MCP proxy that are not JSON-RPC. Default: `reject`. */
  readonly mcpOtherBodies?: 'reject' | 'pass'
  /** Whether rate and quota count each stage of a call through an MCP proxy. Default: they count the call once. */
  readonly mcpCountEachStage?: boolean
  readonly undeclaredResponseProcessors: 'skip' | 'fire'
  readonly storageOutage: 'refuse' | 'allow'
}

/** The settings of an empty configuration (docs/reference/configuration.md#configuration-keys). */
export const defaultSettings: GatewaySettings = {
  vendor: 'svc',
  versionText: 'v5.13.0',
  hostname: '',
  customDomains: false,
  hideGeneratorHeader: false,
  closeConnections: false,
  maxBodyBytes: 0,
  honourActive: false,
  routing: {
    strictRoutes: false,
    skipUrlCleaning: false,
    pathPrefixMatching: false,
    pathSuffixMatching: false,
    ignoreEndpointCase: false,
    xffDepth: 0,
  },
  keys: {
    hashKeys: false,
    hashFunction: '',
    hashFunctionFallback: [],
    actionsByUsername: true,
    minTokenLength: 3,
    allowMasterKeys: false,
    cachedSessions: 100_000,
  },
  lifetimes: { forceGlobal: false, globalSeconds: 0, respectKeyExpiration: false },
  limits: { algorithm: 'local', rollingOneLess: false, smoothing: false, enforceOrgQuotas: false, orgOffThread: false },
  headers: { recorded: 'quotas', ietf: false, version: '' },
  upstream: { timeoutMs: 30_000, insecure: false, closeConnections: false },
  cache: { maxBytes: 64 * 1024 * 1024, maxBodyBytes: 4 * 1024 * 1024 },
  undeclaredResponseProcessors: 'skip',
  storageOutage: 'refuse',
}
