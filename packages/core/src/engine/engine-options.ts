/** Options of an engine: ports, settings and optional extensions. */

import type { DefinitionSource } from '../definition/definition-source.ts'
import type { ErrorOverridesDocument } from '../definition/error-overrides-shape.ts'
import type { ScriptFiles } from '../definition/scripts/script-files.ts'
import type { ReadTemplate } from '../definition/template-files.ts'
import type { BreakerChange } from '../observability/circuit-breaker/breaker-rule.ts'
import type { Endpoint } from '../pipeline/contract/endpoint.ts'
import type { RecordSink } from '../pipeline/contract/record-sink.ts'
import type { ErrorTemplates } from '../pipeline/contract/rejection-renderer.ts'
import type { StageServices } from '../pipeline/contract/stage-services.ts'
import type { CustomStage } from '../pipeline/custom-stages/custom-stage.ts'
import type { StageOrder } from '../pipeline/stage-order.ts'
import type { ApiPorts } from '../ports/api-ports.ts'
import type { Certificates } from '../ports/certificates.ts'
import type { Ids } from '../ports/ids.ts'
import type { ScriptRuntime } from '../ports/script.ts'
import type { Signals } from '../ports/signals.ts'
import type { KeyLock } from '../session/registry/key-lock.ts'
import type { ReloadGroup } from './reload-group.ts'
import type { ReloadReport } from './reload-report.ts'

type GivenServices =
  | 'clock'
  | 'store'
  | 'upstream'
  | 'log'
  | 'passwords'
  | 'settings'
  | 'tokenVerifier'
  | 'fetch'
  | 'brotli'
  | 'clientExists'
  | 'watcher'
  | 'tracing'
  | 'accessLog'
  | 'events'
  | 'analytics'
  | 'secret'

/** The services that stages use as they are given, described there, and what else the engine needs. */
export interface EngineOptions extends Pick<StageServices, GivenServices> {
  readonly signals: Signals
  readonly ids: Ids
  readonly source: DefinitionSource
  /** Opens the TCP ports that APIs have of their own. Absent: no port is opened; `handleOn` still selects APIs by port. */
  readonly ports?: ApiPorts | undefined
  /** Client certificates. Absent: every client certificate is unknown. */
  readonly certificates?: Certificates
  /** Paths below listen paths that the gateway serves itself. Default: none. */
  readonly endpoints?: readonly Endpoint[]
  /** Receive a record of every request. Default: none, and no record is created. */
  readonly records?: readonly RecordSink[]
  /** Other processes that reload with this one. Absent: this process reloads alone. */
  readonly group?: ReloadGroup | undefined
  /** Serialises changes of keys with other processes. Absent: no other process of this machine changes keys. */
  readonly sharedKeyLock?: KeyLock | undefined
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
  /** Reads template files (`template_mode: "file"`). Absent: none can be read, so their paths respond with 500. */
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
