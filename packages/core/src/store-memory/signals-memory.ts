/** Signals between gateways in one process. Delivery comes after the publisher's own work, as it would over a wire. */
import { type Log, silentLog } from '../ports/log.ts'
import type { Signal, Signals } from '../ports/signals.ts'

/**
 * Makes a channel; all who hold it hear each other and themselves.
 * A listener that throws is told to `log` and keeps no other from hearing. Default: it is told to nobody.
 */
export function makeMemorySignals({ log = silentLog }: { readonly log?: Log } = {}): Signals {
  // An object per subscription: one function may listen twice, and each must be taken off for itself.
  const subscriptions = new Set<{ readonly listener: (signal: Signal) => void }>()

  const deliver = async (signal: Signal) => {
    await Promise.resolve()
    for (const subscription of [...subscriptions]) {
      try {
        subscription.listener(signal)
      } catch (error) {
        log.error('a listener of signals failed', { kind: signal.kind, error })
      }
    }
  }

  return {
    publish(signal) {
      void deliver(signal)
      return Promise.resolve()
    },
    subscribe(listener) {
      const subscription = { listener }
      subscriptions.add(subscription)
      return () => {
        subscriptions.delete(subscription)
      }
    },
  } satisfies Signals
}
