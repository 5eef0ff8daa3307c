/** Options of an engine: ports, settings and optional extensions. */

import type { DefinitionSource } from '../definition/definition-source.ts'
import type { ErrorOverridesDocument } from '../definition/error-overrides-shape.ts'
import type { ScriptFiles } from '../definition/scripts/script-files.ts'
import type { ReadTemplate } from '../definition/template-files.ts'
import type { Maybe } from '../lib/maybe.ts'
import type { SecretLookup } from '../lib/secret-lookup.ts'
import type { Analytics } from '../observability/analytics/analytics.ts'
import type { BreakerChange } from '../observability/circuit-breaker/breaker-rule.ts'
import type { Events } from '../observability/events/events.ts'
import type { AccessLog } from '../pipeline/contract/access-log-fields.ts'
import type { Endpoint } from '../pipeline/contract/endpoint.ts'
import type { RecordSink } from '../pipeline/contract/record-sink.ts'
import type { ErrorTemplates } from '../pipeline/contract/rejection-renderer.ts'
import type { RequestWatcher } from '../pipeline/contract/request-watcher.ts'
import type { Tracing } from '../pipeline/contract/tracing.ts'
import type { CustomStage } from '../pipeline/custom-stages/custom-stage.ts'
import type { StageOrder } from '../pipeline/order.ts'
import type { ApiPorts } from '../ports/api-ports.ts'
import type { Brotli } from '../ports/brotli.ts'
import type { Certificates } from '../ports/certificates.ts'
import type { Clock } from '../ports/clock.ts'
import type { Fetch } from '../ports/fetch.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Passwords } from '../ports/passwords.ts'
import type { ScriptRuntime } from '../ports/script.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import type { Signals } from '../ports/signals.ts'
import type { Store } from '../ports/store.ts'
import type { TokenVerifier } from '../ports/token-verifier.ts'
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
  /** Opens the TCP ports that APIs have of their own. Absent: no port is opened; `handleOn` still selects APIs by port. */
  readonly ports?: ApiPorts | undefined
  /** Parses and verifies JSON web tokens. Absent: every token is rejected. */
  readonly tokenVerifier?: TokenVerifier
  /** Fetches the key sets of token issuers. Absent: tokens that need a key set are rejected. */
  readonly fetch?: Fetch
  /** Compresses and decompresses brotli. Absent: body transforms leave such bodies unchanged. */
  readonly brotli?: Brotli
  /** Client certificates. Absent: every client certificate is unknown. */
  readonly certificates?: Certificates
  /** Paths below listen paths that the gateway serves itself. Default: none. */
  readonly endpoints?: readonly Endpoint[]
  /** Returns whether the OAuth client of an access token still exists. Absent: APIs with OAuth reject every request. */
  readonly clientExists?: (apiId: string, clientId: string) => Maybe<boolean>
  /** Receive a record of every request. Default: none, and no record is created. */
  readonly records?: readonly RecordSink[]
  /** Watches requests in detail. Absent: no request of a client is traced. Requires a record sink. */
  readonly watcher?: RequestWatcher | undefined
  /** Traces requests across services. Absent: requests have no spans, and chains no stage for them. */
  readonly tracing?: Tracing | undefined
  /** Receives the lines of the access log. Absent: no line is made. */
  readonly accessLog?: AccessLog | undefined
  /** Receives events for web hooks and event logs. Absent: no event is fired. */
  readonly events?: Events | undefined
  /** Stores analytics records. Absent: no record is created. */
  readonly analytics?: Analytics | undefined
  /** Called after every reload, once its snapshot serves requests. */
  readonly onReload?: (report: ReloadReport) => void
  /** Whether the log names the result of each reload. Default: true. */
  readonly logsReloads?: boolean
  /** Called when a circuit breaker opens or closes. */
  readonly onBreaker?: (change: BreakerChange) => void
  /** Layouts and templates of error responses. Absent: the built-in layouts apply. */
  readonly errorTemplates?: ErrorTemplates
  /** Rules that replace error responses of all APIs, after the rules of an API. Default: none. */
  readonly errorOverrides?: ErrorOverridesDocument
  /** Resolves `env://NAME` and `secrets://NAME` in definitions. Absent: they resolve to the empty string. */
  readonly secret?: SecretLookup
  /** Reads template files (`template_mode: "file"`). Absent: definitions that name one fail to load. */
  readonly readTemplate?: ReadTemplate
  /** Runs scripts of users. Absent: APIs with scripts reject requests. */
  readonly scripts?: ScriptRuntime | undefined
  /** Reads the sources of scripts. Absent: there are none. */
  readonly scriptFiles?: ScriptFiles | undefined
  /** Replaces the order of stages, for tests that insert stages. */
  readonly order?: StageOrder
  /** Stages of other packages, inserted into the order. Default: none. */
  readonly stages?: readonly CustomStage[]
}
