/**
 * The public interface of custom stages: `createGateway({ stages })`. It is much smaller than the interface of built-in
 * stages (`contract/stage.ts`), so that those can change.
 */
import type { Maybe } from '../../lib/maybe.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Fetch } from '../../ports/fetch.ts'
import type { Log } from '../../ports/log.ts'
import type { Phase } from '../contract/phase.ts'
import type { ResponseStageName, StageName } from '../stage-order.ts'

export type CustomStagePhase = Exclude<Phase, '7-record'>

/**
 * A stage of a program. `Config` is the type of its configuration in a definition: `"stages": { "<name>": { … } }`, or
 * `middleware.stages` in the extension of an OpenAPI document.
 */
export interface CustomStage<Config = unknown> {
  /** Lower-case letters, digits and dashes. `explain`, logs and definitions use it. */
  readonly name: string
  readonly phase: CustomStagePhase
  /** The built-in stage of the phase that runs after this one. */
  readonly before?: StageName | ResponseStageName
  /** The built-in stage of the phase that runs before this one. Default: the last one, but in 5-respond this stage is first. */
  readonly after?: StageName | ResponseStageName
  /** JSON Schema (draft 7) of the configuration. A definition that does not match is not loaded. Default: any object. */
  readonly schema?: Readonly<Record<string, unknown>>
  /** Configuration of APIs that do not configure the stage. Absent: the stage does not run for them. */
  readonly defaultConfig?: Config
  /**
   * Called once when a definition is loaded. `null`: the API does not need the stage. If it throws, the definition is not
   * loaded, and the last good version of the API stays in service.
   */
  make(api: StageApi<Config>): StageHandlers | null
}

export interface StageApi<Config> {
  readonly id: string
  readonly name: string
  readonly orgId: string
  readonly listenPath: string
  /** Frozen. */
  readonly config: Config
  readonly services: CustomStageServices
}

export interface CustomStageServices {
  /** The gateway's clock. Tests advance it. */
  readonly clock: Pick<Clock, 'now' | 'after'>
  /** The gateway's log. Lines have the id of the API and the name of the stage. */
  readonly log: Log
  /** Reads documents over HTTP, with limits on time and size. `undefined`: this gateway has no such client. */
  readonly fetch: Fetch | undefined
}

/** A thrown error is logged and responded with 500. */
export interface StageHandlers {
  /** Runs at the position of the stage. Not in phase 6-shape-response. */
  request?(request: StageRequest): Maybe<StageOutcome>
  /**
   * Runs for each response of an upstream, the cache, a mock or a stage of 5-respond: in phase 6-shape-response at the
   * position of the stage, otherwise after all built-in stages. Not for rejections and switched protocols.
   */
  response?(response: StageResponse, request: StageRequest): Maybe<StageOutcome>
}

/** Nothing: the request continues. A reply or a rejection ends the request phase. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler may have no return statement
export type StageOutcome = undefined | void | StageReply | StageRejection

/** A response. A `Response` of the Fetch standard has the same members. */
export interface StageReply {
  /** From 200 to 599. */
  readonly status: number
  /** A record, or an iterable of pairs such as `Headers`. Default: `content-type: text/plain` for texts. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | Iterable<readonly [string, string]>
  readonly body?: string | Uint8Array | ReadableBody | null
}

/** A `ReadableStream` of bytes. */
export interface ReadableBody {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
    cancel(reason?: unknown): Promise<void>
  }
}

/** The result of `StageRequest.reject`. */
export interface StageRejection {
  readonly kind: 'rejection'
  readonly status: number
  readonly message: string
}

export interface StageRequest {
  /** The method for the upstream. */
  readonly method: string
  /** Path below the listen path, undecoded, with a leading slash. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  /** The client's headers as the stages before this one left them. In phases 1 to 3 the later stages see changes, in all phases the upstream. */
  readonly headers: MessageHeaders
  readonly clientAddress: string
  readonly secure: boolean
  /** Name of the version of the API. */
  readonly version: string
  /** The session of the key, after 2-identify. `undefined`: the request has no key. */
  readonly session: StageSession | undefined
  /** Context variables (`$svc_context.<name>`) of definitions. */
  readonly variables: { get(name: string): string; set(name: string, value: string): void }
  /** True if `explain` makes a dry run: the stage must not count or change anything. `consume` does not count then. */
  readonly dry: boolean
  setMethod(method: string): void
  /** Replaces the path below the listen path. Throws for a path without leading slash or with dot segments. */
  setPath(path: string): void
  setQuery(query: string): void
  setBody(body: string | Uint8Array): void
  /** The whole body. A body over `max_read_body_size` (default 1 MiB) is rejected with 413. */
  body(): Promise<Uint8Array>
  text(): Promise<string>
  /** Rejects if the body is not JSON. */
  json(): Promise<unknown>
  /**
   * Counts a request in the store, in one atomic step, on all nodes that share it. `name` identifies the counter within
   * the stage and the API; it must not be a credential.
   */
  consume(name: string, limit: StageLimit): Promise<StageLimitResult>
  /** Makes a rejection: the error layout of the gateway, replaced by matching `error_overrides`. */
  reject(status: number, message: string, headers?: Readonly<Record<string, string>>): StageRejection
  /** Adds a note to the output of `explain`. */
  note(text: string): void
}

/** `limit` requests in `seconds`. The period starts with the first request. */
export interface StageLimit {
  readonly limit: number
  readonly seconds: number
}

export interface StageLimitResult {
  readonly allowed: boolean
  readonly remaining: number
  /** When the period ends, in ms since 1970. */
  readonly resetAt: number
}

export interface StageResponse {
  status: number
  readonly headers: MessageHeaders
  /** The whole body as sent, possibly compressed. A body over `max_read_response_size` (default 1 MiB) is rejected. */
  body(): Promise<Uint8Array>
  /** Rejects if the body is compressed; a stage can set `accept-encoding: identity` on the request. */
  text(): Promise<string>
  json(): Promise<unknown>
  setBody(body: string | Uint8Array): void
}

/** Header fields, with the methods of `Headers` of the Fetch standard. Names are not case-sensitive. */
export interface MessageHeaders extends Iterable<readonly [name: string, value: string]> {
  /** All values, joined by `, `; `null`: there is none. */
  get(name: string): string | null
  getAll(name: string): readonly string[]
  has(name: string): boolean
  /** Throws for invalid names and values, and for headers that describe the connection or the length of the body. */
  set(name: string, value: string): void
  append(name: string, value: string): void
  delete(name: string): void
}

/** What a stage can read of the session of a key. */
export interface StageSession {
  /** Hash of the key; safe to log. */
  readonly keyHash: string
  readonly alias: string
  readonly orgId: string
  readonly policies: readonly string[]
  readonly tags: readonly string[]
  readonly metaData: Readonly<Record<string, unknown>>
  /** Id of the OAuth client of an access token; empty for other keys. */
  readonly oauthClientId: string
}
