/** Wraps the signals of a node so that a test can disconnect it. A disconnected node loses the signals that are sent to it. */
import type { Signals } from '@turnpike/core'

export interface DisconnectableSignals {
  /** The signals to pass to the node. */
  readonly signals: Signals
  setDisconnected(isDisconnected: boolean): void
  /** Resolves when this marker, and therefore every earlier signal of the same sender, has arrived. */
  waitForMarker(marker: string): Promise<void>
}

/** Real time after which a marker is treated as lost. It is long because test machines may be busy. */
const markerTimeoutMs = 60_000
/** Number of polls that only yield to the event loop. Later polls wait 1 ms each. */
const immediatePolls = 200

/** Publishes a marker: a signal about a key that does not exist. */
export function publishMarker(signals: Signals, marker: string): Promise<void> {
  return signals.publish({ kind: 'key-changed', storedName: marker })
}

export function makeDisconnectableSignals(real: Signals): DisconnectableSignals {
  let isDisconnected = false
  const markers = new Set<string>()
  real.subscribe((signal) => {
    if (signal.kind === 'key-changed') markers.add(signal.storedName)
  })
  const signals: Signals = {
    publish: (signal) => real.publish(signal),
    subscribe: (listener) => real.subscribe((signal) => (isDisconnected ? undefined : listener(signal))),
  }
  return {
    signals,
    setDisconnected(value: boolean) {
      isDisconnected = value
    },
    async waitForMarker(marker: string) {
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
