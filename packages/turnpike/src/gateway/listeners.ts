/** Who wants to hear of something; a listener that throws does not keep the others from hearing. */
export interface Listeners<T> {
  /** Returns how to stop listening. */
  add(listener: (value: T) => void): () => void
  notify(value: T): void
}

export function makeListeners<T>(onError: (cause: unknown) => void): Listeners<T> {
  let listeners: readonly ((value: T) => void)[] = []
  return {
    add(listener) {
      // A function added twice is two listeners, and each is taken off by its own.
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
