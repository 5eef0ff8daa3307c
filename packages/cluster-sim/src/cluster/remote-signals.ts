/** Publish and subscribe through a broker next to the store, like that of Redis. Delivery is not guaranteed. */
import type { Signal, Signals } from '@turnpike/core/ports'
import type { Network, Participant } from '../simulation/network.ts'

/** The subscriptions of all nodes. */
export interface Broker {
  readonly at: Participant
  readonly listeners: Map<Participant, (signal: Signal) => void>
  isUp(): boolean
}

export function makeRemoteSignals(broker: Broker, from: Participant, network: Network): Signals {
  return {
    publish(signal) {
      network.send(from, broker.at, () => {
        if (!broker.isUp()) return
        for (const place of broker.listeners.keys()) {
          // Looked up on arrival: a node that restarted receives the message, and a crashed node does not.
          network.sendUnordered(broker.at, place, () => broker.listeners.get(place)?.(signal))
        }
      })
      return Promise.resolve()
    },
    subscribe(listener) {
      const before = broker.listeners.get(from)
      const both = (signal: Signal) => {
        before?.(signal)
        listener(signal)
      }
      broker.listeners.set(from, both)
      return () => {
        if (broker.listeners.get(from) === both) broker.listeners.delete(from)
      }
    },
  }
}
