/** A gateway as programs hold it in their hands. Made by `createGateway`. */
import type {
  AnalyticsRecord,
  ApiDefinition,
  InjectOptions,
  ReadAnswer,
  ReloadReport,
  RequestRecord,
} from '@turnpike/core'
import type { PolicyDocument, SessionDocument } from './documents.ts'

export interface Gateway {
  /** Sends a request through without a socket; management paths work too. */
  inject(request: string | InjectRequest): Promise<ReadAnswer>
  /** Opens the ports that the configuration names, or the one given; 0 lets the system choose. */
  listen(port?: number, host?: string): Promise<GatewayAddress>
  /** Reads definitions and policies anew. The report tells what changed and what could not be loaded. */
  reload(): Promise<ReloadReport>
  /** Lets open requests finish for `graceMs` (default: the configuration's 30 s), then lets go of everything. */
  close(graceMs?: number): Promise<void>
  readonly keys: KeyHelpers
  readonly policies: PolicyHelpers
  readonly organisations: OrganisationHelpers
  /** Hears of each request that met an API, after its answer is known. Returns how to stop. */
  onRequest(listener: (entry: RequestRecord) => void): () => void
  /** Hears of each reload. Returns how to stop. */
  onReload(listener: (report: ReloadReport) => void): () => void
  /**
   * The last analytics records, oldest first; with `enable_analytics` only. How many are kept is `records.memory` of
   * the configuration.
   */
  records(): Promise<readonly AnalyticsRecord[]>
  /** The APIs served at this moment. */
  apis(): readonly ApiDefinition[]
}

/** A request to inject, and where it comes in. */
export interface InjectRequest extends InjectOptions {
  /** For APIs with a `listen_port` of their own. Default: the gateway's. */
  readonly port?: number
}

export interface GatewayAddress {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** Of the management API, where it has a port of its own; else as `url`. */
  readonly controlUrl: string
  /** Of the dashboard's page; absent: there is no dashboard. */
  readonly dashboardUrl?: string
  /** Name of the HTTP server in use. */
  readonly frontEnd: string
}

/** Keys, as the management API would treat them. */
export interface KeyHelpers {
  /** Makes a key; under `id` where one is given, else under a random name. Throws `KeyRefused` when it may not be. */
  create(session: SessionDocument, options?: { readonly id?: string }): Promise<CreatedKey>
  /** With policies applied and what is left of its quota; `undefined` when there is no such key. */
  get(key: string, options?: KeyLookup): Promise<SessionDocument | undefined>
  /** Replaces the session of a key. Throws `KeyRefused` when there is none or it may not be. */
  update(
    key: string,
    session: SessionDocument,
    options?: KeyLookup & { readonly keepCounters?: boolean },
  ): Promise<CreatedKey>
  /** Tells whether there was one. */
  remove(key: string, options?: KeyLookup): Promise<boolean>
  /** Stored names, sorted: hashes where keys are hashed. */
  list(filter?: string): Promise<readonly string[]>
}

export interface KeyLookup {
  /** Organisation, so that a key is found by its short name. */
  readonly orgId?: string
}

export interface CreatedKey {
  /** What clients send. */
  readonly key: string
  /** What it is stored under; fit for logs where keys are hashed. */
  readonly storedName: string
}

/** Policies in force at this moment. Those of a gateway without policy files can be changed in place. */
export interface PolicyHelpers {
  get(id: string): PolicyDocument | undefined
  list(): readonly PolicyDocument[]
  /** Stores a policy and reloads. */
  put(id: string, policy: PolicyDocument): Promise<void>
  /** Removes a policy and reloads; tells whether there was one. */
  remove(id: string): Promise<boolean>
}

/** Limits of whole organisations; they count with `enforce_org_quotas`. */
export interface OrganisationHelpers {
  get(orgId: string): Promise<SessionDocument | undefined>
  put(orgId: string, session: SessionDocument): Promise<void>
  remove(orgId: string): Promise<boolean>
}

/** A key that may not be made as asked; `reason` is a word of core's `KeyRefusal`. */
export class KeyRefused extends Error {
  readonly reason: string
  constructor(reason: string, message: string) {
    super(message)
    this.name = 'KeyRefused'
    this.reason = reason
  }
}
