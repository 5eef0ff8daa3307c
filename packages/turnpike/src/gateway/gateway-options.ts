/** What `createGateway` can be told. Everything has a default, so that a test needs no more than definitions. */
import type { Clock, Endpoint, FrontEnd, Ids, Log, Passwords, StagePlugins, Store, Upstream } from '@turnpike/core'
import type { Environment } from '../config/environment.ts'
import type { ConfigDocument, DefinitionDocument, PolicyDocument } from './documents.ts'

/** `stages` and `responseStages` place stages of your own in the pipeline, beside a stage that they name. */
export interface GatewayOptions extends StagePlugins {
  /** A configuration file, or what would stand in one. Default: an empty one. */
  readonly config?: string | ConfigDocument
  /**
   * Folder of definition files, the documents themselves, or a function that gives them anew at each reload.
   * Default: the `app_path` of a configuration file; without a file: none.
   */
  readonly definitions?: string | readonly DefinitionDocument[] | (() => readonly DefinitionDocument[])
  /** Folder of policy files, documents by id, or a function that gives them. Default: as the configuration says. */
  readonly policies?:
    | string
    | Readonly<Record<string, PolicyDocument>>
    | (() => Readonly<Record<string, PolicyDocument>>)
  /** `memory` by default; with a configuration file, what its `storage.type` says. A store that is given stays open. */
  readonly store?: 'memory' | 'lmdb' | 'redis' | Store
  /** Default: the system's. On a virtual clock the whole gateway runs as fast as the processor allows. */
  readonly clock?: Clock
  /** Default: our own client for plain HTTP, undici's for the rest. */
  readonly upstream?: Upstream
  /** Default: warnings and errors on standard error. */
  readonly log?: Log | 'silent'
  /** Paths below listen paths that your code answers. Default: batches and the OAuth 2.0 server only. */
  readonly endpoints?: readonly Endpoint[]
  readonly ids?: Ids
  readonly passwords?: Passwords
  /** Default: what `front_end` of the configuration says, `auto` without. */
  readonly frontEnd?: 'auto' | 'uws' | 'node' | FrontEnd
  /** Vendor word; wins over the configuration's. */
  readonly vendor?: string
  /** Whether `onRequest` hears of requests; `false` saves about a microsecond a request. Default: true. */
  readonly records?: boolean
  /** Variables that may overlay the configuration and stand behind `env://`. Default: none, so that tests are alike. */
  readonly environment?: Environment
}
