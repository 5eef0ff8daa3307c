/** What the gateway gets from a store that is set up, and what the set-up needs. */
import type { StoreObserver } from '@turnpike/adapters/telemetry-otlp'
import type { AnalyticsSink, Clock, DedupKeys, GatewaySettings, Handle, Ids, Log, Signals, Store } from '@turnpike/core'
import type { GatewayConfig } from '../config/config-shape.ts'

export interface StoreDependencies {
  readonly config: GatewayConfig
  readonly settings: GatewaySettings
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Observes commands of a networked store; `undefined`: nobody does. */
  readonly observer: StoreObserver | undefined
}

export interface WiredStore {
  readonly store: Store
  /** Where keys are stored, as text for the start banner. */
  readonly description: string
  /** True if other nodes use this store. Default: false. */
  readonly shared?: boolean
  /** Messages between nodes. Nodes with a shared store exchange them through it. */
  readonly signals: Signals
  readonly dedupKeys: DedupKeys
  /** Sinks for analytics records in this store; empty if it cannot hold records. */
  readonly sinks: readonly AnalyticsSink[]
  /** Wraps a handler to count its requests, if other nodes need the load of this node. */
  readonly countRequests?: (handle: Handle) => Handle
  /** Counters for metrics, if the store can be unavailable. */
  readonly storeCounts?: () => { readonly up: boolean; readonly refused: number; readonly outages: number }
  /** Writes pending data; closes files and connections. Does not close a store that the caller provided. */
  close(): Promise<void>
}
