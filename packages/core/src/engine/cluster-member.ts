/**
 * A node as one of several on one store: it tells what it serves, and it catches up on group reloads it did not hear.
 *
 * A group reload is a wish that stands in the store and is told to all. Whoever hears it reloads at once; whoever does
 * not, finds at its next heartbeat that the wish is another than the one it has acted on. So a lost message delays a
 * node by one heartbeat and a doubled or late one does nothing that a second reload would not do.
 */

import type { Cancel, Clock, Millis } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Signals } from '../ports/signals.ts'
import type { Store } from '../ports/store.ts'
import { describeNode } from './describe-node.ts'
import type { Engine } from './engine.ts'
import { type NodeState, readNodeState, writeNodeState } from './node-state.ts'

export interface ClusterMemberOptions {
  readonly clock: Clock
  readonly store: Pick<Store, 'records'>
  readonly signals: Signals
  readonly engine: Pick<Engine, 'reload' | 'report' | 'definitions' | 'servedHash'>
  readonly ids: Ids
  readonly log: Log
  /** Vendor word: nodes of another word are another group. */
  readonly vendor: string
  /** What an operator calls the machine. */
  readonly host: string
  /** Ms between two heartbeats. Default 5,000. A node that is silent for three of them is gone. */
  readonly heartbeatMs?: Millis
}

export interface ClusterMember {
  readonly id: string
  /** Puts a reload of the whole group into the store and tells all, this node included. Rejects when the store is away. */
  reloadGroup(): Promise<void>
  /** All nodes that were heard of lately, by host and id. */
  nodes(): Promise<readonly NodeState[]>
  /** This node, as it is now. */
  self(): NodeState
  /** Tells what this node serves and catches up now instead of at the next heartbeat. Never rejects. */
  beat(): Promise<void>
  /** Leaves the group. Never rejects. */
  close(): Promise<void>
}

const defaultHeartbeatMs = 5_000
/** Heartbeats that may fail before a node counts as gone. */
const missedBeats = 3

/** Joins the group. To be called before the first load, so that no wish falls between the two. */
export function joinCluster(options: ClusterMemberOptions): ClusterMember {
  const { clock, store, signals, engine, ids, log, vendor, host, heartbeatMs = defaultHeartbeatMs } = options
  const { records } = store
  const prefix = `${vendor}-node.`
  const wishName = `${vendor}-group-reload`
  const id = ids.uuid()
  const startedAt = clock.now()
  let actedOn: string | undefined
  let knowsWish = false
  let storeIsAway = false
  let closed = false
  let cancel: Cancel = () => {}

  const self = () => describeNode({ id, host, startedAt, clock, engine })

  const beatOnce = async (): Promise<void> => {
    const wish = await records.get(wishName)
    const isNew = knowsWish && wish !== undefined && wish !== actedOn
    // Taken as acted on before the files are read: a wish that comes during the reload is another one.
    actedOn = wish ?? actedOn
    knowsWish = true
    if (isNew) await engine.reload()
    if (!closed) await records.put(prefix + id, writeNodeState(self()), heartbeatMs * missedBeats)
  }

  const beat = async (): Promise<void> => {
    try {
      await beatOnce()
      storeIsAway = false
    } catch (cause) {
      if (!storeIsAway) log.warn('the store does not hear this node', { reason: String(cause) })
      storeIsAway = true
    }
  }

  const plan = () => {
    cancel = clock.after(heartbeatMs, () => void beat().then(() => closed || plan()))
  }
  void beat()
  plan()

  return {
    id,
    self,
    beat,
    async reloadGroup() {
      await records.put(wishName, ids.uuid())
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
        // Its record ends by itself.
      }
    },
  } satisfies ClusterMember
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
