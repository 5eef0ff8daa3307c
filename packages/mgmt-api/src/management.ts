/**
 * All services that the management API needs. The composition root implements it; handlers see nothing else.
 */
import type { CertificateStore } from '@turnpike/core/auth'
import type { ApiDefinition } from '@turnpike/core/definition'
import type { CheckedStages, NearListenPath, NodeState, ReloadReport, WrittenDefinition } from '@turnpike/core/engine'
import type { HeaderPairs } from '@turnpike/core/http'
import type { Maybe, Millis } from '@turnpike/core/lib'
import type { RejectionReason, StageConfigProblem, TracedStage } from '@turnpike/core/pipeline'
import type { Clock, GatewaySettings, Ids, Log, Signals } from '@turnpike/core/ports'
import type { KeyRegistry, OrgSessions, PolicyBook } from '@turnpike/core/session'
import type { ManagementOptions } from './management-options.ts'
import type { OAuth } from './oauth/oauth.ts'

export interface Management {
  readonly settings: Pick<GatewaySettings, 'vendor' | 'versionText' | 'strict'> & {
    readonly keys: GatewaySettings['keys']
  }
  readonly options: ManagementOptions
  readonly keys: KeyRegistry
  readonly orgs: OrgSessions
  readonly oauth: Pick<OAuth, 'of' | 'makeSecret' | 'purgeExpired'>
  readonly certificates: CertificateStore
  /** The current policies. */
  policies(): PolicyBook
  /** The loaded definitions. */
  definitions(): readonly ApiDefinition[]
  readonly files: DefinitionStore
  readonly reloader: Reloader
  /** The nodes of this gateway's group. */
  readonly group: Group
  /** The processes of this gateway. Absent: there is one. */
  readonly workers?: Workers | undefined
  readonly signals: Pick<Signals, 'publish'>
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly ids: Ids
  readonly log: Log
  readonly health: HealthSource
  /** Invalidates the response cache of an API on this node at once. Absent if the node has no cache. */
  invalidateCache?(apiId: string): Maybe<void>
  /** Drops cached key sets of token issuers, of one API or of all. Default: nothing is cached. */
  forgetKeySets?(apiId?: string): void
  /** Sends a request through the pipeline and reports what each stage did. Absent: the operation does not exist. */
  explain?(request: ExplainRequest): Promise<ExplainReport>
  /** Sends a request through a definition that need not be loaded. Absent: the operation does not exist. */
  debug?(input: DebugInput): Promise<DebugReport>
  /** Checks the configurations of custom stages, as the reload will. Absent: they are not checked. */
  findStageConfigProblem?(definition: CheckedStages): Promise<StageConfigProblem | undefined>
  /** Checks a readable definition as `turnpike check` does; each text is a warning. Absent: it is not checked. */
  findDefinitionProblems?(definition: WrittenDefinition): Promise<readonly string[]>
  /** Source of GET /config and GET /env; the handlers replace secrets. Absent: the operations do not exist. */
  inspect?(): { readonly config: unknown; readonly fields: readonly ConfigField[] }
  /** Profiles of the process. Absent: profiling is off. */
  readonly profiler?: Profiler | undefined
}

export interface DebugInput {
  /** JSON text of the classic definition. */
  readonly spec: string
  /** JSON text of the document from which the definition was derived. */
  readonly oas?: string
  readonly method: string
  /** Path below the listen path, decoded. */
  readonly path: string
  readonly headers: HeaderPairs
  readonly body: string
}

export interface DebugReport {
  /** Request and response in wire form; absent: the definition cannot be served. */
  readonly response?: string
  /** Lines of JSON. */
  readonly logs: string
}

/** A field of the configuration. */
export interface ConfigField {
  /** Names joined by dots. */
  readonly name: string
  /** The environment variable that overrides it. */
  readonly env: string
  readonly value: string
}

/** Takes profiles of this process. One CPU profile runs at a time; further calls wait for it. */
export interface Profiler {
  /** Sampled allocations that are still in use. The profile contains names of functions and no data. */
  heap(): Promise<string>
  cpu(seconds: number): Promise<string>
}

/** Definition and policy files of this node. Writes are atomic and durable, and reject on failure. */
export interface DefinitionStore {
  /** Text of `<api_id>.json`; `undefined` if it does not exist. */
  readDefinition(apiId: string): Promise<string | undefined>
  writeDefinition(apiId: string, text: string): Promise<void>
  /** Returns true if the file existed. */
  removeDefinition(apiId: string): Promise<boolean>
  /** Rejects with the code `ENOENT` or `ENOTDIR` if the folder of policies does not exist. */
  writePolicy(id: string, text: string): Promise<void>
  removePolicy(id: string): Promise<boolean>
}

/** Reloads definition and policy files. */
export interface Reloader {
  /** Resolves with the report of a reload that started after the call. */
  reload(): Promise<ReloadReport>
  /** Requests a reload without waiting. */
  request(): void
  /** Report of the last reload; `undefined` before the first. */
  report(): ReloadReport | undefined
}

/** The nodes that share a store, or only this node. */
export interface Group {
  /** Signals a reload to all nodes, including this one. Rejects if the signal cannot be sent. */
  reload(): Promise<void>
  /** Nodes that sent a signal recently. Rejects if the store is unavailable. */
  nodes(): Promise<readonly NodeState[]>
}

/** The processes that are one gateway. */
export interface Workers {
  /** Starts to replace all workers, one after the other. */
  restart(): Promise<void>
  state(): Promise<WorkersState>
}

export interface WorkersState {
  readonly wanted: number
  /** Workers that serve requests now. */
  readonly ready: number
}

/** Data of the probes and /svc/health. */
export interface HealthSource {
  /** Result of the last check of the store; `undefined` before the first. */
  storeCheck(): StoreCheck | undefined
  /** False: the readiness probe names the cause instead of a missing connection to Redis. */
  readonly usesRedis: boolean
  /** Checks the store now; for the readiness probe before the first periodic check. */
  isStoreReachable(): Promise<boolean>
  /** True if definitions have been loaded since the start. */
  isLoaded(): boolean
  /** Health counters of a loaded API. */
  of(apiId: string): Maybe<ApiHealth>
}

/** Result of one check of the store. */
export interface StoreCheck {
  readonly at: Millis
  /** Why the store did not respond; `undefined` if it did. */
  readonly problem: string | undefined
}

/** Counters of one API in the last window. */
export interface ApiHealth {
  readonly throttledPerSecond: number
  readonly quotaViolationsPerSecond: number
  readonly keyFailuresPerSecond: number
  /** Milliseconds. */
  readonly averageUpstreamLatency: number
  readonly requestsPerSecond: number
}

/** Options of an explained request. */
export interface ExplainRequest {
  readonly method: string
  /** Path and query, undecoded. */
  readonly target: string
  readonly headers: HeaderPairs
  readonly body: Uint8Array | undefined
  /** Dry run: counts nothing and calls no upstream. */
  readonly dry: boolean
  /** TCP port that receives the request. Default and 0: the gateway's port. */
  readonly port?: number
}

export interface ExplainReport {
  readonly apiId: string | undefined
  readonly status: number
  readonly headers: HeaderPairs
  /** The response body, shortened to a readable length. */
  readonly body: string
  readonly stages: readonly TracedStage[]
  /** Why a stage rejected the request: what decided, and when to retry. Absent if no stage did. */
  readonly why?: RejectionReason
  /** The listen paths that resemble the path most. Absent if an API has the path. */
  readonly nearest?: readonly NearListenPath[]
}
