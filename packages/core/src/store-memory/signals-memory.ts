/** Signals between gateways in one process. Delivery is asynchronous, as over a network. */
import { type Log, silentLog } from '../ports/log.ts'
import type { Signal, Signals } from '../ports/signals.ts'

/**
 * Makes a channel. Each subscriber receives all signals that are published on it, including its own.
 * An exception of one listener is logged and does not affect the other listeners. Default: no log.
 */
export function makeMemorySignals({ log = silentLog }: { readonly log?: Log } = {}): Signals {
  // One object per subscription, because the same function can subscribe twice and unsubscribe separately.
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
