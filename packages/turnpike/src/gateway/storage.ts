/** What the gateway gets from its store. */
import type { ReloadGroup } from '@turnpike/core/engine'
import type { AnalyticsSink } from '@turnpike/core/observability'
import type { DedupKeys, Handle, Signals, Store } from '@turnpike/core/ports'
import type { KeyLock } from '@turnpike/core/session'

export interface Storage {
  readonly store: Store
  /** Where keys are stored, as text for the start banner. */
  readonly storeDescription: string
  /** True if other nodes use this store. Default: false. */
  readonly shared?: boolean
  /** Messages between nodes. Nodes with a shared store exchange them through it. */
  readonly signals: Signals
  readonly dedupKeys: DedupKeys
  /** The workers of this machine, which reload together. */
  readonly reloadGroup?: ReloadGroup | undefined
  /** Serialises changes of keys between the workers. */
  readonly sharedKeyLock?: KeyLock | undefined
  /** Sinks for analytics records in this store; empty if it cannot hold records. */
  readonly storeSinks: readonly AnalyticsSink[]
  /** Wraps a handler to count its requests, if other nodes need the load of this node. */
  readonly countRequests?: (handle: Handle) => Handle
  /** Counters for metrics, if the store can be unavailable. */
  readonly storeCounts?: () => { readonly up: boolean; readonly rejected: number; readonly outages: number }
}
