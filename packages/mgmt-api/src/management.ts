/**
 * Everything the management API needs, in one interface. Whoever wires a gateway fulfils it; handlers see nothing else.
 */
import type {
  ApiDefinition,
  CertificateStore,
  Clock,
  GatewaySettings,
  HeaderPairs,
  Ids,
  KeyRegistry,
  Log,
  Maybe,
  NodeState,
  OrgSessions,
  PolicyBook,
  ReloadReport,
  Signals,
  TracedStage,
} from '@turnpike/core'
import type { ApiHealth, StoreCheck } from './health/health.ts'
import type { ManagementOptions } from './management-options.ts'
import type { OAuth } from './oauth/oauth.ts'

export interface Management {
  readonly settings: Pick<GatewaySettings, 'vendor' | 'versionText'> & { readonly keys: GatewaySettings['keys'] }
  readonly options: ManagementOptions
  readonly keys: KeyRegistry
  readonly orgs: OrgSessions
  readonly oauth: Pick<OAuth, 'of' | 'makeSecret' | 'purgeLapsed'>
  readonly certificates: CertificateStore
  /** Policies of the moment. */
  policies(): PolicyBook
  /** Definitions loaded at the moment. */
  definitions(): readonly ApiDefinition[]
  readonly files: DefinitionStore
  readonly reloader: Reloader
  /** The nodes of this gateway's group. */
  readonly group: Group
  readonly signals: Pick<Signals, 'publish'>
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Ids
  readonly log: Log
  readonly health: HealthSource
  /** Empties the response cache of an API on this node, at once. Absent: this node has none. */
  invalidateCache?(apiId: string): Maybe<void>
  /** Key sets of token issuers, of one API or of all, are fetched anew. Default: none are kept. */
  forgetKeySets?(apiId?: string): void
  /** Sends a request through the pipeline and tells what each stage did. Absent: the call is unknown. */
  explain?(request: ExplainRequest): Promise<ExplainReport>
  /** What GET /config and GET /env show; secrets are blanked on the way. Absent: `{}`. */
  inspect?(): { readonly config: unknown; readonly env: Readonly<Record<string, string>> }
}

/** Definition and policy files of this node. Writes are atomic and durable, and reject when they cannot be done. */
export interface DefinitionStore {
  /** Text of `<api_id>.json`; `undefined`: there is no such file. */
  readDefinition(apiId: string): Promise<string | undefined>
  writeDefinition(apiId: string, text: string): Promise<void>
  /** Tells whether there was such a file. */
  removeDefinition(apiId: string): Promise<boolean>
  writePolicy(id: string, text: string): Promise<void>
  removePolicy(id: string): Promise<boolean>
}

/** Takes up what definition and policy files say now. */
export interface Reloader {
  /** Settles with a reload that began after the call. */
  reload(): Promise<ReloadReport>
  /** Asks for a reload and does not wait. */
  request(): void
  /** Of the last reload; `undefined` before the first. */
  report(): ReloadReport | undefined
}

/** The nodes that share a store, or this one alone. */
export interface Group {
  /** Tells all nodes to reload, this one too. Rejects when they cannot be told. */
  reload(): Promise<void>
  /** Nodes that were heard of lately. Rejects when the store is away. */
  nodes(): Promise<readonly NodeState[]>
}

/** What the probes and /svc/health tell. */
export interface HealthSource {
  /** The last check of the store; `undefined` before the first. */
  storeCheck(): StoreCheck | undefined
  /** Asks the store now; for the readiness probe before the first check. */
  storeAnswers(): Promise<boolean>
  /** Whether definitions were loaded since the start. */
  isLoaded(): boolean
  /** Numbers of a loaded API. */
  of(apiId: string): ApiHealth
}

/** A request to be explained. */
export interface ExplainRequest {
  readonly method: string
  /** Path with query, as on the wire. */
  readonly target: string
  readonly headers: HeaderPairs
  readonly body: Uint8Array | undefined
  /** Look only: nothing is counted and no upstream is asked. */
  readonly dry: boolean
  /** Port by which it comes. Default, and 0: the gateway's. */
  readonly port?: number
}

export interface ExplainReport {
  readonly apiId: string | undefined
  readonly status: number
  readonly headers: HeaderPairs
  /** The answer's body, cut to a readable length by whoever explains. */
  readonly body: string
  readonly stages: readonly TracedStage[]
}
