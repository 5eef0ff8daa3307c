/** A list of listeners. If one throws, the others are still called. */
export interface Listeners<T> {
  /** Returns a function that unsubscribes. */
  add(listener: (value: T) => void): () => void
  notify(value: T): void
}

export function makeListeners<T>(onError: (cause: unknown) => void): Listeners<T> {
  let listeners: readonly ((value: T) => void)[] = []
  return {
    add(listener) {
      // The wrapper makes a function that is added twice two listeners, each with its own unsubscribe function.
      const own = (value: T) => listener(value)
      listeners = [...listeners, own]
      return () => {
        listeners = listeners.filter((other) => other !== own)
      }
    },
    notify(value) {
      for (const listener of listeners) {
        try {
          listener(value)
        } catch (cause) {
          onError(cause)
        }
      }
    },
  }
}
