/**
 * Serialises the changes of each key on this node. A change reads the stored session and writes it back asynchronously;
 * without the lock, an update could restore a key that was removed concurrently. Each engine has one lock, and all that
 * write sessions share it: management API, scripts, token sessions and the OAuth server. Between nodes the last write
 * wins.
 */
export interface KeyLock {
  /** Runs `change` after all earlier changes of this stored name have ended. */
  hold<T>(storedName: string, change: () => Promise<T>): Promise<T>
}

export function makeKeyLock(): KeyLock {
  const lastByName = new Map<string, Promise<unknown>>()
  return {
    async hold(storedName, change) {
      const before = lastByName.get(storedName)
      const mine = (before ?? Promise.resolve()).then(change, change)
      lastByName.set(storedName, mine)
      try {
        return await mine
      } finally {
        if (lastByName.get(storedName) === mine) lastByName.delete(storedName)
      }
    },
  }
}
