/**
 * Membership of a node in a cluster that shares one store: the node publishes its state and catches up on group reloads.
 *
 * A group reload writes a new request id to the store and publishes a signal. A node that receives the signal reloads
 * at once. A node that missed the signal finds at its next heartbeat that the stored id differs from the last one it
 * handled. So a lost message delays a node by one heartbeat, and a duplicate or late message only causes another reload.
 */

import type { Cancel, Clock, Millis } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Signals } from '../ports/signals.ts'
import type { Store } from '../ports/store.ts'
import type { Engine } from './engine.ts'
import { describeNode, type NodeState, readNodeState, writeNodeState } from './node-state.ts'

export interface ClusterMemberOptions {
  readonly clock: Clock
  readonly store: Pick<Store, 'records'>
  readonly signals: Signals
  readonly engine: Pick<Engine, 'reload' | 'report' | 'definitions' | 'servedHash'>
  readonly ids: Ids
  readonly log: Log
  /** Vendor word. Nodes with different vendor words belong to different groups. */
  readonly vendor: string
  /** Name of the machine, for operators. */
  readonly host: string
  /** Ms between two heartbeats. Default: 5,000. A node that misses three of them counts as gone. */
  readonly heartbeatMs?: Millis
}

export interface ClusterMember {
  readonly id: string
  /** Requests a reload of every node, this one included. Rejects when the store is unavailable. */
  reloadGroup(): Promise<void>
  /** All nodes with a recent heartbeat, sorted by host and id. */
  nodes(): Promise<readonly NodeState[]>
  /** The current state of this node. */
  self(): NodeState
  /** Sends a heartbeat now: publishes this node's state and handles a missed group reload. Never rejects. */
  beat(): Promise<void>
  /** Leaves the group. Never rejects. */
  close(): Promise<void>
}

const defaultHeartbeatMs = 5_000
/** Heartbeats that may fail before a node counts as gone. */
const missedBeats = 3

/** Joins the group. Call it before the first load, so that no reload request is missed between the two. */
export function joinCluster(options: ClusterMemberOptions): ClusterMember {
  const { clock, store, signals, engine, ids, log, vendor, host, heartbeatMs = defaultHeartbeatMs } = options
  const { records } = store
  const prefix = `${vendor}-node.`
  const requestName = `${vendor}-group-reload`
  const id = ids.uuid()
  const startedAt = clock.now()
  let handledRequest: string | undefined
  let hasReadRequest = false
  let storeIsUnavailable = false
  let closed = false
  let cancel: Cancel = () => {}

  const self = () => describeNode({ id, host, startedAt, clock, engine })

  const beatOnce = async (): Promise<void> => {
    const request = await records.get(requestName)
    const isNew = hasReadRequest && request !== undefined && request !== handledRequest
    // Set before the files are read, so that a request that arrives during the reload causes another reload.
    handledRequest = request ?? handledRequest
    hasReadRequest = true
    if (isNew) await engine.reload()
    if (!closed) await records.put(prefix + id, writeNodeState(self()), heartbeatMs * missedBeats)
  }

  const beat = async (): Promise<void> => {
    try {
      await beatOnce()
      storeIsUnavailable = false
    } catch (cause) {
      if (!storeIsUnavailable) log.warn('the heartbeat could not be written to the store', { reason: String(cause) })
      storeIsUnavailable = true
    }
  }

  const scheduleNext = () => {
    cancel = clock.after(heartbeatMs, () => void beat().then(() => closed || scheduleNext()))
  }
  void beat()
  scheduleNext()

  return {
    id,
    self,
    beat,
    async reloadGroup() {
      await records.put(requestName, ids.uuid())
      await signals.publish({ kind: 'reload' })
    },
    async nodes() {
      const names = await records.names(prefix)
      const texts = await Promise.all(names.map((name) => records.get(name)))
      const states = texts.map((text) => (text === undefined ? undefined : readNodeState(text)))
      return states
        .filter((state) => state !== undefined)
        .sort((a, b) => (a.host === b.host ? compare(a.id, b.id) : compare(a.host, b.host)))
    },
    async close() {
      closed = true
      cancel()
      try {
        await records.remove(prefix + id)
      } catch {
        // The record expires after three heartbeats.
      }
    },
  } satisfies ClusterMember
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
