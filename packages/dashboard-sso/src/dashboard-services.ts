/** Everything that the dashboard uses of a gateway. */
import type { ApiDefinition } from '@turnpike/core/definition'
import type { ReloadReport } from '@turnpike/core/engine'
import type { HeaderPairs } from '@turnpike/core/http'
import type { BreakerStatus } from '@turnpike/core/observability'
import type { OriginalRequest, RequestRecord, RequestWatcher, TracedStage } from '@turnpike/core/pipeline'
import type { Clock, GatewaySettings, Ids, Log, Store } from '@turnpike/core/ports'
import type { PolicyBook } from '@turnpike/core/session'
import type { DashboardOptions } from './dashboard-options.ts'

export interface DashboardServices {
  readonly options: DashboardOptions
  readonly store: Pick<Store, 'records' | 'sessions' | 'counters' | 'check'>
  readonly settings: GatewaySettings
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly gateway: WatchedGateway
}

/** The parts of a gateway that the page reads and changes. */
export interface WatchedGateway {
  /** Of the program. */
  readonly version: string
  /** APIs served now. */
  definitions(): readonly ApiDefinition[]
  policies(): PolicyBook
  breakers(): readonly BreakerStatus[]
  /** Of the last reload; `undefined` before the first. */
  report(): ReloadReport | undefined
  /** Settles with a reload that began after the call. */
  reload(): Promise<ReloadReport>
  /** Subscribes to requests that were routed to an API. Returns a function that ends the subscription. */
  onRequest(listener: (entry: RequestRecord) => void): () => void
  /** Has the gateway trace requests that the watcher wants. Returns a function that ends this. */
  watch(watcher: Pick<RequestWatcher, 'wants' | 'watched'>): () => void
  /** Runs a request through the stages without counting it and without calling an upstream. */
  explain(request: OriginalRequest): Promise<Explained>
  /** Makes a call of the management API, with its key. `path`: below the vendor word, with its query. */
  manage(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: string): Promise<ManagementReply>
  /** Subscribes to reloads. Returns a function that ends the subscription. */
  onReload(listener: (report: ReloadReport) => void): () => void
}

export interface ManagementReply {
  readonly status: number
  readonly body: unknown
}

/** What each stage of an explained request did. */
export interface Explained {
  readonly status: number
  readonly headers: HeaderPairs
  readonly stages: readonly TracedStage[]
  /** Why a stage rejected the request, and which policy, key or API decided; absent: none did. */
  readonly why?: string | undefined
  /** Listen paths that resemble the path most; empty if an API has the path. */
  readonly nearest: readonly { readonly listenPath: string; readonly apiId: string }[]
}

/** Who calls, beside what a `Request` of the fetch standard can say. */
export interface Caller {
  /** Address of the client: of the connection's other end, or what trusted proxies say. */
  readonly address: string
  /** The body was longer than anything this part reads, and was not read. */
  readonly bodyTooLong?: boolean
}
