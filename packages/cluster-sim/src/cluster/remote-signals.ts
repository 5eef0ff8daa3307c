/** Publish and subscribe through a broker that stands beside the store, as Redis has it. Nobody is sure to hear. */
import type { Signal, Signals } from '@turnpike/core'
import type { Network, Place } from '../world/network.ts'

/** The broker: who listens, and where. */
export interface Broker {
  readonly at: Place
  readonly listeners: Map<Place, (signal: Signal) => void>
  isUp(): boolean
}

export function makeRemoteSignals(broker: Broker, from: Place, network: Network): Signals {
  return {
    publish(signal) {
      network.send(from, broker.at, () => {
        if (!broker.isUp()) return
        for (const place of broker.listeners.keys()) {
          // Looked up when it comes: who has restarted since hears it, who has crashed does not.
          network.cast(broker.at, place, () => broker.listeners.get(place)?.(signal))
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
