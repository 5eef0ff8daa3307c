/** Everything that the dashboard uses of a gateway. */
import type {
  ApiDefinition,
  BreakerStatus,
  Clock,
  GatewaySettings,
  Ids,
  Log,
  PolicyBook,
  ReloadReport,
  RequestRecord,
  Store,
} from '@turnpike/core'
import type { DashboardOptions } from './dashboard-options.ts'

export interface DashboardParts {
  readonly options: DashboardOptions
  readonly store: Pick<Store, 'records' | 'sessions' | 'counters' | 'check'>
  readonly settings: GatewaySettings
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly gateway: WatchedGateway
}

/** What the page looks at, and the one thing it may do. */
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
  /** Subscribes to reloads. Returns a function that ends the subscription. */
  onReload(listener: (report: ReloadReport) => void): () => void
}

/** Who calls, beside what a `Request` of the fetch standard can say. */
export interface Caller {
  /** Address of the client: of the connection's other end, or what trusted proxies say. */
  readonly address: string
  /** The body was longer than anything this part reads, and was not read. */
  readonly bodyTooLong?: boolean
}
