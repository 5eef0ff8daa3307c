/** What stages may use: the ports, the settings of the gateway, and the few services made of them. */

import type { KeySets } from '../../auth/jwt/key-sets.ts'
import type { ByteBudget } from '../../cache/byte-budget.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { SecretLookup } from '../../lib/secret-lookup.ts'
import type { Analytics } from '../../observability/analytics/analytics.ts'
import type { Breakers } from '../../observability/circuit-breaker/breakers.ts'
import type { Events } from '../../observability/events/events.ts'
import type { Uptime } from '../../observability/uptime/uptime.ts'
import type { Brotli } from '../../ports/brotli.ts'
import type { Certificates } from '../../ports/certificates.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Passwords } from '../../ports/passwords.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { Signals } from '../../ports/signals.ts'
import type { Signatures } from '../../ports/signatures.ts'
import type { Store } from '../../ports/store.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { OrgRegistry } from '../../session/org-registry.ts'
import type { PolicyBook } from '../../session/policies/policy-book.ts'
import type { SessionCache } from '../../session/session-cache.ts'
import type { ErrorRenderer } from './error-renderer.ts'
import type { Loops } from './loops.ts'
import type { RecordSink } from './record-sink.ts'

export interface StageServices {
  readonly clock: Clock
  readonly store: Store
  readonly upstream: Upstream
  readonly log: Log
  readonly passwords: Passwords
  readonly settings: GatewaySettings
  readonly sessionCache: SessionCache
  readonly orgs: OrgRegistry
  readonly errors: ErrorRenderer
  /** Policies in force now; absent: none are. */
  readonly policies?: () => PolicyBook
  /** For sessions that a stage writes; absent: no other node hears of them. */
  readonly signals?: Pick<Signals, 'publish'>
  /** Public keys; absent: tokens signed with one are refused. */
  readonly signatures?: Signatures | undefined
  /** Key sets of token issuers, by URL; absent: none can be had. */
  readonly keySets?: KeySets | undefined
  /** Client certificates; absent: none is known. */
  readonly certificates?: Certificates | undefined
  /** Whether an API still has the OAuth client of an access token; absent: no token is accepted. */
  readonly clientExists?: ((apiId: string, clientId: string) => Maybe<boolean>) | undefined
  /** Room for answers that are gathered for the cache while they pass. */
  readonly gathering: ByteBudget
  /** For request ids in variables; absent: they are empty. */
  readonly ids?: Ids
  /** What `$secret_env` and `$secret_conf` stand for; absent: they are empty. */
  readonly secret?: SecretLookup | undefined
  /** Packs and unpacks by brotli; absent: such bodies cannot be changed. */
  readonly brotli?: Brotli | undefined
  /** Tells which hosts are down; absent: none is known to be. */
  readonly uptime?: Pick<Uptime, 'isDown'> | undefined
  /** Circuit breakers, by what their rules say; absent: paths have none. */
  readonly breakers?: Breakers
  /** Takes what is to be given back when the API that is being compiled is served no more. */
  readonly onRelease?: (release: () => void) => void
  /** Sends requests on inside the gateway (`svc://`); absent: such rewrites are refused. */
  readonly loops?: Loops
  /** Hears of what users want to be told: refusals, breakers, quotas; absent: nobody listens. */
  readonly events?: Events | undefined
  /** Keeps analytics records; absent: none are made. */
  readonly analytics?: Analytics | undefined
  /** Who wants to hear of every request; none: phase 7 is empty. */
  readonly records: readonly RecordSink[]
}
