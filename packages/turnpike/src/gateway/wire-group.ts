/** The node group of this gateway: all nodes on one Redis, or this node alone. */
import { hostname } from 'node:os'
import {
  type Clock,
  describeNode,
  type Engine,
  type Ids,
  joinCluster,
  type Log,
  type Signals,
  type Store,
} from '@turnpike/core'
import type { Group } from '@turnpike/mgmt-api'

export interface GroupDependencies {
  /** True if other processes use this store. */
  readonly shared: boolean
  readonly vendor: string
  readonly engine: Engine
  readonly store: Store
  readonly signals: Signals
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

export interface WiredGroup extends Group {
  /** Publishes the state of this node after a reload, instead of at the next heartbeat. */
  reloaded(): void
  close(): Promise<void>
}

export function wireGroup({ shared, vendor, engine, store, signals, clock, ids, log }: GroupDependencies): WiredGroup {
  const host = hostname()
  if (shared) {
    const member = joinCluster({ clock, store, signals, engine, ids, log, vendor, host })
    return {
      reload: member.reloadGroup,
      nodes: member.nodes,
      reloaded: () => void member.beat(),
      close: member.close,
    }
  }
  const [id, startedAt] = [ids.uuid(), clock.now()]
  return {
    reload: () => signals.publish({ kind: 'reload' }),
    nodes: async () => [describeNode({ id, host, startedAt, clock, engine })],
    reloaded: () => undefined,
    close: () => Promise.resolve(),
  }
}
