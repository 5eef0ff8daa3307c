/** Nodes in one process, on stores with the same data. A test can disconnect them from the signals. */
import type { Millis } from '@turnpike/core/lib'
import type { Ids, Signals, Store } from '@turnpike/core/ports'
import { makeSequentialIds } from '../../fakes/sequential-ids.ts'
import type { VirtualClock } from '../../virtual-clock.ts'
import type { StoreEnvironment } from '../store-environments.ts'

/** Real time after which a marker is treated as lost. It is long because test machines may be busy. */
const markerTimeoutMs = 60_000
/** Number of polls that only yield to the event loop. Later polls wait 1 ms each. */
const immediatePolls = 200

/** What a node is made from. */
export interface NodeServices {
  readonly clock: VirtualClock
  readonly store: Store
  readonly signals: Signals
  readonly ids: Ids
}

/** Nodes that exchange signals. */
export interface ConnectedNodes {
  /** Disconnects a node from the signals, or connects it again. A disconnected node loses those that are sent to it. */
  setDisconnected(node: number, isDisconnected: boolean): void
  /** Resolves when all connected nodes have received and handled the signals so far. */
  signalsDelivered(): Promise<void>
  wait(ms: Millis): Promise<void>
}

export interface NodeGroup<Node> extends ConnectedNodes {
  readonly nodes: readonly Node[]
}

/** Starts nodes one after the other. */
export async function startNodes<Node>(
  environment: StoreEnvironment,
  count: number,
  start: (services: NodeServices, index: number) => Promise<Node>,
): Promise<NodeGroup<Node>> {
  const { clock } = environment
  const connections: Connection[] = []
  const nodes: Node[] = []
  for (let index = 0; index < count; index += 1) {
    const store = index === 0 ? environment.store : await environment.another()
    const connection = makeConnection(await environment.signals())
    connections.push(connection)
    nodes.push(
      await start({ clock, store, signals: connection.signals, ids: makeSequentialIds((index + 1) * 1e6) }, index),
    )
  }
  let markers = 0
  return {
    nodes,
    setDisconnected: (node, isDisconnected) => connections[node]?.setDisconnected(isDisconnected),
    async signalsDelivered() {
      markers += 1
      // A signal about a key that does not exist.
      const storedName = `marker-${markers}`
      await connections[0]?.signals.publish({ kind: 'key-changed', storedName })
      await Promise.all(connections.map((connection) => connection.waitForMarker(storedName)))
      await clock.run(0)
    },
    wait: (ms) => clock.run(ms),
  }
}

interface Connection {
  /** The signals to pass to the node. */
  readonly signals: Signals
  setDisconnected(isDisconnected: boolean): void
  /** Resolves when this marker, and therefore every earlier signal of the same sender, has arrived. */
  waitForMarker(marker: string): Promise<void>
}

function makeConnection(real: Signals): Connection {
  let isDisconnected = false
  const markers = new Set<string>()
  real.subscribe((signal) => {
    if (signal.kind === 'key-changed') markers.add(signal.storedName)
  })
  return {
    signals: {
      publish: (signal) => real.publish(signal),
      subscribe: (listener) => real.subscribe((signal) => (isDisconnected ? undefined : listener(signal))),
    },
    setDisconnected(value) {
      isDisconnected = value
    },
    async waitForMarker(marker) {
      const since = performance.now()
      for (let polls = 0; !markers.has(marker); polls += 1) {
        if (performance.now() - since > markerTimeoutMs) throw new Error('a signal did not arrive')
        await new Promise<void>((resolve) => {
          if (polls < immediatePolls) setImmediate(resolve)
          else setTimeout(resolve, 1)
        })
      }
    },
  }
}
