/** Signals of a node that can be made deaf: what comes meanwhile is lost to it. */
import type { Signals } from '@turnpike/core'

export interface LossySignals {
  /** For the node. */
  readonly signals: Signals
  setDeaf(isDeaf: boolean): void
  /** Settles once this mark, and with it all that the same sender told before, has come here. */
  until(mark: string): Promise<void>
}

/** Real time after which a mark counts as lost: long, for machines that have much else to do. */
const patienceMs = 60_000
/** Looks that only let the event loop turn; those after them wait. */
const quickLooks = 200

/** What a mark is told by: a key that no node has. */
export function publishMarker(signals: Signals, mark: string): Promise<void> {
  return signals.publish({ kind: 'key-changed', storedName: mark })
}

export function makeLossySignals(real: Signals): LossySignals {
  let isDeaf = false
  const marks = new Set<string>()
  real.subscribe((signal) => {
    if (signal.kind === 'key-changed') marks.add(signal.storedName)
  })
  const signals: Signals = {
    publish: (signal) => real.publish(signal),
    subscribe: (listener) => real.subscribe((signal) => (isDeaf ? undefined : listener(signal))),
  }
  return {
    signals,
    setDeaf(value: boolean) {
      isDeaf = value
    },
    async until(mark: string) {
      const since = performance.now()
      for (let looked = 0; !marks.has(mark); looked += 1) {
        if (performance.now() - since > patienceMs) throw new Error('a signal did not arrive')
        await new Promise<void>((resolve) => {
          if (looked < quickLooks) setImmediate(resolve)
          else setTimeout(resolve, 1)
        })
      }
    },
  }
}
