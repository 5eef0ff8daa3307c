/** The services that stages may use: ports, settings of the gateway, and services built from them. */

import type { KeySets } from '../../auth/jwt/key-set-cache.ts'
import type { ByteBudget } from '../../cache/byte-budget.ts'
import type { OverrideRules } from '../../definition/error-override-rules.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { SecretLookup } from '../../lib/secret-lookup.ts'
import type { Analytics } from '../../observability/analytics/analytics.ts'
import type { Breakers } from '../../observability/circuit-breaker/breakers.ts'
import type { Events } from '../../observability/events/events.ts'
import type { Uptime } from '../../observability/uptime/uptime.ts'
import type { Brotli } from '../../ports/brotli.ts'
import type { Certificates } from '../../ports/certificates.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Fetch } from '../../ports/fetch.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Passwords } from '../../ports/passwords.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { Signals } from '../../ports/signals.ts'
import type { Store } from '../../ports/store.ts'
import type { TokenVerifier } from '../../ports/token-verifier.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { Discovery } from '../../route/discovery/discovery.ts'
import type { OrgSessionCache } from '../../session/org-session-cache.ts'
import type { PolicyBook } from '../../session/policies/policy-book.ts'
import type { KeyLock } from '../../session/registry/key-lock.ts'
import type { SessionCache } from '../../session/session-cache.ts'
import type { AccessLog } from './access-log-fields.ts'
import type { Loops } from './loops.ts'
import type { RecordSink } from './record-sink.ts'
import type { RejectionRenderer } from './rejection-renderer.ts'
import type { RequestWatcher } from './request-watcher.ts'
import type { Scripts } from './scripts.ts'
import type { Tracing } from './tracing.ts'

export interface StageServices {
  readonly clock: Clock
  readonly store: Store
  readonly upstream: Upstream
  readonly log: Log
  readonly passwords: Passwords
  readonly settings: GatewaySettings
  readonly sessionCache: SessionCache
  /** Held while a stage changes a stored session. */
  readonly keyLock: KeyLock
  readonly orgs: OrgSessionCache
  readonly errors: RejectionRenderer
  /** `error_overrides` of the configuration; absent: there are none. */
  readonly errorOverrides?: OverrideRules
  /** Returns the policies in force now; absent: there are none. */
  readonly policies?: () => PolicyBook
  /** Publishes the sessions that a stage writes; absent: other nodes are not notified. */
  readonly signals?: Pick<Signals, 'publish'>
  /** Parses and verifies JSON web tokens; absent: every token is rejected. */
  readonly tokenVerifier?: TokenVerifier | undefined
  /** Key sets of token issuers, by URL; absent: none can be loaded. */
  readonly keySets?: KeySets | undefined
  /** Calls the servers of token issuers; absent: tokens that need such a call are rejected. */
  readonly fetch?: Fetch | undefined
  /** Stored client certificates; absent: there are none. */
  readonly certificates?: Certificates | undefined
  /** Returns true if an API still has the OAuth client of an access token; absent: every token is rejected. */
  readonly clientExists?: ((apiId: string, clientId: string) => Maybe<boolean>) | undefined
  /** Memory budget for response bodies that are captured for the cache while they stream. */
  readonly gathering: ByteBudget
  /** For request ids in variables; absent: they are empty. */
  readonly ids?: Ids
  /** Values of `$secret_env` and `$secret_conf`; absent: they are empty. */
  readonly secret?: SecretLookup | undefined
  /** Brotli compression; absent: bodies with that content coding cannot be changed. */
  readonly brotli?: Brotli | undefined
  /** Reports which hosts are down; absent: all count as up. */
  readonly uptime?: Pick<Uptime, 'isDown'> | undefined
  /** Targets from discovery services; absent: the targets of definitions are used. */
  readonly discovery?: Discovery | undefined
  /** Circuit breakers by their rules; absent: paths have none. */
  readonly breakers?: Breakers
  /** Registers a function that releases resources when the compiled API is no longer served. */
  readonly onRelease?: (release: () => void) => void
  /** Sends requests to other APIs of the gateway (`svc://…`); absent: such rewrites are rejected. */
  readonly loops?: Loops
  /** Scripts of users; absent: this gateway cannot run them. */
  readonly scripts?: Scripts | undefined
  /** Event handlers of users; absent: there are none. */
  readonly events?: Events | undefined
  /** Stores analytics records; absent: none are made. */
  readonly analytics?: Analytics | undefined
  /** Receives the lines of the access log; absent: none are written. */
  readonly accessLog?: AccessLog | undefined
  /** Watches requests in detail; absent: no request of a client is traced. */
  readonly watcher?: RequestWatcher | undefined
  /** Traces requests across services; absent: requests have no spans. */
  readonly tracing?: Tracing | undefined
  /** Sinks that get a record of every request. */
  readonly records: readonly RecordSink[]
}
