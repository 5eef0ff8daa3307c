/** What an engine is made of: ports, settings and what is attached to it. */

import type { DefinitionSource } from '../definition/definition-source.ts'
import type { ReadTemplate } from '../definition/template-files.ts'
import type { Maybe } from '../lib/maybe.ts'
import type { SecretLookup } from '../lib/secret-lookup.ts'
import type { Analytics } from '../observability/analytics/analytics.ts'
import type { BreakerChange } from '../observability/circuit-breaker/breaker-rule.ts'
import type { Events } from '../observability/events/events.ts'
import type { Endpoint } from '../pipeline/contract/endpoint.ts'
import type { RecordSink } from '../pipeline/contract/record-sink.ts'
import type { StageOrder } from '../pipeline/order.ts'
import type { StagePlugins } from '../pipeline/place-stages.ts'
import type { FindLayout } from '../pipeline/shared/make-error-renderer.ts'
import type { ApiPorts } from '../ports/api-ports.ts'
import type { Brotli } from '../ports/brotli.ts'
import type { Certificates } from '../ports/certificates.ts'
import type { Clock } from '../ports/clock.ts'
import type { Fetch } from '../ports/fetch.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Passwords } from '../ports/passwords.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import type { Signals } from '../ports/signals.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { Store } from '../ports/store.ts'
import type { Upstream } from '../ports/upstream.ts'
import type { ReloadReport } from './report.ts'

export interface EngineOptions {
  readonly clock: Clock
  readonly store: Store
  readonly signals: Signals
  readonly upstream: Upstream
  readonly log: Log
  readonly ids: Ids
  readonly passwords: Passwords
  readonly settings: GatewaySettings
  readonly source: DefinitionSource
  /** Opens ports that APIs have of their own. Absent: none is opened, and `handleOn` still tells them apart. */
  readonly ports?: ApiPorts | undefined
  /** Public keys that check tokens; absent: tokens signed with one are refused. */
  readonly signatures?: Signatures
  /** Reads key sets of token issuers; absent: none can be had. */
  readonly fetch?: Fetch
  /** Packs and unpacks by brotli; absent: body transforms leave such bodies as they are. */
  readonly brotli?: Brotli
  /** Client certificates; absent: none is known. */
  readonly certificates?: Certificates
  /** Paths below listen paths that the gateway answers itself. Default: none. */
  readonly endpoints?: readonly Endpoint[]
  /** Whether an API still has the OAuth client of an access token. Absent: APIs with OAuth reject every request. */
  readonly clientExists?: (apiId: string, clientId: string) => Maybe<boolean>
  /** Hear of every request. None: recording costs nothing. */
  readonly records?: readonly RecordSink[]
  /** Hears of what web hooks and event logs are for. None: nothing is fired. */
  readonly events?: Events | undefined
  /** Keeps analytics records. None: none are made. */
  readonly analytics?: Analytics | undefined
  /** Hears of every reload, whoever asked for it, after its table serves. */
  readonly onReload?: (report: ReloadReport) => void
  /** Hears of every circuit breaker that opens or closes. */
  readonly onBreaker?: (change: BreakerChange) => void
  /** Layouts of errors from files. */
  readonly findLayout?: FindLayout
  /** What `env://NAME` and `secrets://NAME` in definitions stand for; without it they are empty. */
  readonly secret?: SecretLookup
  /** Reads template files that definitions name (`template_mode: "file"`); without it such definitions cannot be loaded. */
  readonly readTemplate?: ReadTemplate
  /** Another order of stages; for tests that put stages in between. */
  readonly order?: StageOrder
  /** Stages of other packages, placed in the order. Default: none. */
  readonly plugins?: StagePlugins
}
