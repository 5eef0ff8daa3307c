/** The nodes of this gateway's group: those on one Redis, or this one alone. */
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
  /** Whether other processes work on this store. */
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
  /** This node serves something else now: the others are told at once. */
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
