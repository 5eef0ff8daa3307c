/** The options of `createGateway`. All are optional. */
import type { GroupMember } from '@turnpike/adapters/worker-group'
import type { CustomStage, Endpoint } from '@turnpike/core/pipeline'
import type { Clock, FrontEnd, Ids, Log, Passwords, Store, Upstream } from '@turnpike/core/ports'
import type { Environment } from '../config/environment.ts'
import type { ConfigDocument, DefinitionDocument, PolicyDocument } from './document-types.ts'
import type { DefinitionWithSidecar } from './memory-source.ts'

export interface GatewayOptions {
  /** The path of a configuration file, or its content as an object. Default: an empty configuration. */
  readonly config?: string | ConfigDocument
  /**
   * Folder of definition files, the documents themselves, or a function that each reload calls.
   * Default: `app_path` of the configuration file; without a file, no definitions.
   */
  readonly definitions?: string | readonly DefinitionDocument[] | (() => readonly DefinitionDocument[])
  /** Folder of policy files, documents by id, or a function that each reload calls. Default: the configuration's. */
  readonly policies?:
    | string
    | Readonly<Record<string, PolicyDocument>>
    | (() => Readonly<Record<string, PolicyDocument>>)
  /** Default: `storage.type` of the configuration file, `memory` without a file. `close` leaves a given store open. */
  readonly store?: 'memory' | 'lmdb' | 'redis' | Store
  /** Default: the system clock. With a virtual clock, timers fire when the test advances it. */
  readonly clock?: Clock
  /** Default: Turnpike's HTTP/1.1 client for plain HTTP, undici for everything else. */
  readonly upstream?: Upstream
  /** Default: warnings and errors on standard error. */
  readonly log?: Log | 'silent'
  /** Custom stages of the request pipeline. docs/extending.md describes them. Stages at the same position keep their order. */
  readonly stages?: readonly CustomStage[]
  /** Custom endpoints below the listen paths of APIs, in addition to batch requests and the OAuth 2.0 server. */
  readonly endpoints?: readonly Endpoint[]
  readonly ids?: Ids
  readonly passwords?: Passwords
  /** The HTTP server. Default: `front_end` of the configuration, which defaults to `auto`. */
  readonly frontEnd?: 'auto' | 'http1' | 'uws' | 'node' | FrontEnd
  /** Vendor word; overrides the configuration's. */
  readonly vendor?: string
  /** Whether listeners of `gateway.onRequest` are called; `false` saves about 1 µs per request. Default: true. */
  readonly observeRequests?: boolean
  /** Environment variables for configuration keys and `env://NAME`. Default: none, so tests are reproducible. */
  readonly environment?: Environment
}

export interface OpenOptions extends GatewayOptions {
  /** A definition with its sidecar document, to serve in place of `definitions`. */
  readonly served?: DefinitionWithSidecar | undefined
  /** Whether the log names the result of each reload. Default: true. */
  readonly logsReloads?: boolean
  /** Set if this process is one of several workers of a gateway. */
  readonly worker?: GatewayWorker | undefined
}

/** One of several processes that are one gateway. */
export interface GatewayWorker {
  readonly member: GroupMember
  /** Number of its quota log; no other living worker has it. */
  readonly slot: number
  /** One worker does what should happen once, such as the removal of expired records. */
  readonly isFirst: boolean
}
