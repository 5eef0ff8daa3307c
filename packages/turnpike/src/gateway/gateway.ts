/** The public interface of a gateway that `createGateway` returns. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ApiDefinition } from '@turnpike/core/definition'
import type { CollectedResponse, InjectOptions, ReloadReport } from '@turnpike/core/engine'
import type { GatewayRequest, GatewayResponse } from '@turnpike/core/http'
import type { Maybe } from '@turnpike/core/lib'
import type { ListedStage, RequestRecord } from '@turnpike/core/pipeline'
import type { AnalyticsRecord } from '@turnpike/core/ports'
import type { ExplainReport } from '@turnpike/mgmt-api'
import type { PolicyDocument, SessionDocument } from './document-types.ts'

export interface Gateway {
  /** Handles a request in process, without a socket. Paths of the management API work too. */
  inject(request: string | InjectRequest): Promise<CollectedResponse>
  /**
   * Handles a request in process and returns what each stage did, as `turnpike explain` prints it. With `dry`, nothing
   * is counted and no upstream is called.
   */
  explain(request: string | ExplainedRequest): Promise<ExplainReport>
  /**
   * Handles a request of a front end on the gateway's port. Never throws or rejects. Returns a promise only if the
   * request had to wait. `inject` and `fetch` are easier to call.
   */
  handle(request: GatewayRequest): Maybe<GatewayResponse>
  /**
   * Handles a request of the Fetch standard, for frameworks such as Hono. Bodies stream in both directions; aborting
   * `request.signal` aborts the call to the upstream. Serves the paths of the gateway's port. Protocols cannot be
   * upgraded, and trailers are dropped. After `close` it resolves with a 503.
   */
  fetch(request: Request, client?: FetchClient): Promise<Response>
  /**
   * Handles a request of node:http, for Express, Fastify and plain servers. It must be called before anything reads the
   * body. `req.url` is the path that the gateway sees, so a mount path that the framework removes is not a part of it.
   * Bodies and trailers stream in both directions; a client that disconnects aborts the call to the upstream. Serves
   * the paths of the gateway's port. HTTP/2 requests get a 505. After `close` it responds with 503.
   */
  nodeHandler(req: IncomingMessage, res: ServerResponse): void
  /** A listener for the event `upgrade` of node:http, for WebSocket upgrades: `server.on('upgrade', …)`. */
  nodeUpgradeHandler(req: IncomingMessage, socket: Duplex, head: Uint8Array): void
  /** Opens the configured TCP ports, or `port` on `host`. Port 0 lets the system choose. */
  listen(port?: number, host?: string): Promise<GatewayAddress>
  /** Reloads definitions and policies. The report lists changes and failures. */
  reload(): Promise<ReloadReport>
  /** Waits up to `graceMs` for running requests, then closes. Default: `graceful_shutdown_timeout_duration`, 30 s. */
  close(graceMs?: number): Promise<void>
  readonly keys: KeyHelpers
  readonly policies: PolicyHelpers
  readonly organisations: OrganisationHelpers
  /** Calls the listener for each request of an API once its response is known. Returns a function that unsubscribes. */
  onRequest(listener: (entry: RequestRecord) => void): () => void
  /** Calls the listener after each reload. Returns a function that unsubscribes. */
  onReload(listener: (report: ReloadReport) => void): () => void
  /**
   * Returns the last analytics records, oldest first. Empty unless `enable_analytics` is set; `records.memory` limits
   * their number.
   */
  records(): Promise<readonly AnalyticsRecord[]>
  /** Returns all stages in their order, with the custom ones. An API has those that it needs. */
  stages(): readonly ListedStage[]
  /** Returns the APIs that are currently served. */
  apis(): readonly ApiDefinition[]
}

/** A request to inject. */
export interface InjectRequest extends InjectOptions {
  /** The `listen_port` of the API. Default: the gateway's port. */
  readonly port?: number
}

/** What a `Request` does not say about its client. */
export interface FetchClient {
  /** IP address of the client, for address lists and X-Forwarded-For. Default: `0.0.0.0`, which is in no address list. */
  readonly remoteAddress?: string
}

/** A request to explain. */
export interface ExplainedRequest extends InjectRequest {
  /** Count nothing, and call no upstream. Default: false. */
  readonly dry?: boolean
}

export interface GatewayAddress {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string
  readonly port: number
  /** URL of the management API. Equals `url` unless `control_api_port` is set. */
  readonly controlUrl: string
  /** URL of the dashboard page; absent if the dashboard is disabled. */
  readonly dashboardUrl?: string
  /** Name of the front end in use. */
  readonly frontEnd: string
}

/** Manages keys with the rules of the management API. */
export interface KeyHelpers {
  /**
   * Creates a key named `id`, or with a random name. Rejects with `KeyRejected` if the session is not acceptable or the
   * key could not be used: its name is too short, a policy is unknown, none of its APIs is served, or policies, APIs and
   * key belong to different organisations. Rejects with a `TypeError` if a field is unknown or has a wrong type.
   */
  create(session: SessionDocument, options?: { readonly id?: string }): Promise<CreatedKey>
  /** Returns the session with policies applied and its remaining quota; `undefined` if the key does not exist. */
  get(key: string, options?: KeyLookup): Promise<SessionDocument | undefined>
  /**
   * Replaces the session of a key. Rejects with `KeyRejected` if the key does not exist or is not acceptable, and with a
   * `TypeError` if a field is unknown or has a wrong type.
   */
  update(
    key: string,
    session: SessionDocument,
    options?: KeyLookup & { readonly keepCounters?: boolean },
  ): Promise<CreatedKey>
  /** Resolves with true if the key existed. */
  remove(key: string, options?: KeyLookup): Promise<boolean>
  /** Returns the stored names, sorted. They are hashes if `hash_keys` is set. */
  list(filter?: string): Promise<readonly string[]>
}

export interface KeyLookup {
  /** The organisation of the key. Required to find a key by its id without the organisation prefix. */
  readonly orgId?: string
}

export interface CreatedKey {
  /** The credential that clients send. */
  readonly key: string
  /** The name in the store. Safe to log if `hash_keys` is set. */
  readonly storedName: string
}

/** Reads and changes the active policies. */
export interface PolicyHelpers {
  get(id: string): PolicyDocument | undefined
  list(): readonly PolicyDocument[]
  /** Writes a policy to its source and reloads. Rejects with a `TypeError` if a field is unknown or has a wrong type. */
  put(id: string, policy: PolicyDocument): Promise<void>
  /** Removes a policy and reloads. Resolves with true if the policy existed. */
  remove(id: string): Promise<boolean>
}

/** Limits of whole organisations. They apply if `enforce_org_quotas` is set. */
export interface OrganisationHelpers {
  get(orgId: string): Promise<SessionDocument | undefined>
  /** Rejects with a `TypeError` if a field is unknown or has a wrong type. */
  put(orgId: string, session: SessionDocument): Promise<void>
  remove(orgId: string): Promise<boolean>
}

/**
 * Thrown if a key cannot be created or changed. `reason` is a word such as `no-rights`, `policies`, `too-short`,
 * `unknown-policy`, `unknown-api` or `wrong-organisation`. The message names the cause and the fix.
 */
export class KeyRejected extends Error {
  readonly reason: string
  constructor(reason: string, message: string) {
    super(message)
    this.name = 'KeyRejected'
    this.reason = reason
  }
}
