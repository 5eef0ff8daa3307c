/**
 * What the configuration of a gateway decides for the engine. Made by the package that reads the configuration file;
 * names and defaults follow docs/reference/configuration.md#configuration-keys.
 */
import type { PortRules } from '../http/listening.ts'
import type { HashFunction } from '../lib/hash/key-hash.ts'
import type { RateAlgorithm } from './rate-limit.ts'

/** How hosts are checked (`uptime_tests` of the configuration). */
export interface UptimeSettings {
  readonly disabled: boolean
  /** Nodes with the same name have one poller; empty is a name too. */
  readonly pollerGroup: string
  /** Equal results in a row that make a host down or up. */
  readonly samples: number
  readonly everyMs: number
}

/** How upstreams are spoken to over TLS, where their API says nothing. */
export interface UpstreamTlsSettings {
  /** As TLS numbers versions, 771 is 1.2; 0: the platform's. */
  readonly minVersion: number
  readonly maxVersion: number
  /** Names of cipher suites; empty: the platform's. */
  readonly ciphers: readonly string[]
  /** Id or file of the certificate to show, by host pattern (`*`, `*.domain`, a host). */
  readonly certificates: Readonly<Record<string, string>>
  /** Comma-separated ids, files or fingerprints of the keys a host may have, by host pattern. */
  readonly pinnedKeys: Readonly<Record<string, string>>
  readonly checksCommonName: boolean
}

export interface GatewaySettings {
  /** Vendor word: lower case, as in paths; other forms are derived by `vendor.ts`. */
  readonly vendor: string
  /** Version told by /hello and sent as User-Agent when the client sent none. */
  readonly versionText: string
  /** APIs answer only under this host; empty: any. */
  readonly hostname: string
  /** Ports that APIs may have of their own. Default: any. */
  readonly ports?: PortRules
  readonly customDomains: boolean
  readonly hideGeneratorHeader: boolean
  readonly closeConnections: boolean
  /** Of requests, in bytes; 0: no limit. */
  readonly maxBodyBytes: number
  /** Of answers whose body a template changes, in bytes. Default, and 0: what is held of any body. */
  readonly maxResponseBytes?: number
  readonly honourActive: boolean
  readonly routing: {
    readonly strictRoutes: boolean
    readonly skipUrlCleaning: boolean
    readonly pathPrefixMatching: boolean
    readonly pathSuffixMatching: boolean
    readonly ignoreEndpointCase: boolean
    /** Which entry of X-Forwarded-For names the client: 0 the first, n the nth from the right. */
    readonly xffDepth: number
  }
  readonly keys: {
    readonly hashKeys: boolean
    /** Empty: keys are organisation + id. */
    readonly hashFunction: HashFunction | ''
    readonly hashFunctionFallback: readonly (HashFunction | '')[]
    readonly actionsByUsername: boolean
    readonly minTokenLength: number
    readonly allowMasterKeys: boolean
    /** Sessions cached ready for requests; the least recently used are evicted first. 0: none. */
    readonly cachedSessions: number
    /**
     * How long they are kept at most before they are read anew, in ms, for a store that others write to as well: what
     * a lost signal would have told is known by then. Default: until a change is heard.
     */
    readonly cachedForMs?: number
  }
  readonly lifetimes: {
    readonly forceGlobal: boolean
    readonly globalSeconds: number
    readonly respectKeyExpiration: boolean
  }
  /** `security.certificates.apis`: ids or files of client certificates that every API with mutual TLS admits. Default: none. */
  readonly clientCertificates?: readonly string[]
  /** Key sets of token issuers. Default: kept for 240 s, certificates checked. */
  readonly keySets?: { readonly lifetimeMs: number; readonly insecure: boolean }
  readonly limits: {
    readonly algorithm: RateAlgorithm
    /** `drl_enable_sentinel_rate_limiter` beside the rolling window. */
    readonly rollingOneLess: boolean
    readonly smoothing: boolean
    readonly enforceOrgQuotas: boolean
    readonly orgOffThread: boolean
  }
  readonly headers: {
    /** `rate_limit_response_headers`: what the recorded X-RateLimit headers speak of. */
    readonly recorded: 'quotas' | 'rate_limits'
    /** `rate_limit_headers: "ietf"`: RateLimit, RateLimit-Policy and Retry-After beside them. */
    readonly ietf: boolean
    /** `version_header`: response header that names the default version used; empty: none. */
    readonly version: string
  }
  readonly upstream: {
    readonly timeoutMs: number
    readonly insecure: boolean
    readonly closeConnections: boolean
    /** Requests to change the protocol (WebSocket) go through; true by default. */
    readonly upgrades?: boolean
    /** `proxy_ssl_…` and the gateway's own certificates and pinned keys by host. */
    readonly tls?: UpstreamTlsSettings
  }
  /** Uptime tests; absent: none are run. */
  readonly uptime?: UptimeSettings
  readonly cache: {
    /** Most bytes of memory for cached answers; 0: no cache. */
    readonly maxBytes: number
    /** Longest body that is cached. */
    readonly maxBodyBytes: number
  }
  /** `override_messages`: by its names (`auth.key_not_found`, …); status 0 and empty texts change nothing. */
  readonly overrideMessages?: ReadonlyMap<string, { readonly status: number; readonly message: string }>
  /** Of a call through an MCP proxy rate and quota count each of its stages, as recorded. Default: they count once. */
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
