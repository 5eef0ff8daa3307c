/**
 * Serialises the changes of each key. A change reads the stored session and writes it back asynchronously;
 * without the lock, an update could restore a key that was removed concurrently. Each engine has one lock, and all that
 * write sessions share it: management API, scripts, token sessions and the OAuth server. The workers of one machine
 * share a second lock; between machines the last write wins.
 */
export interface KeyLock {
  /** Runs `change` after all earlier changes of this stored name have ended. */
  hold<T>(storedName: string, change: () => Promise<T>): Promise<T>
}

/** `shared`: a lock of several processes, taken inside that of this process. */
export function makeKeyLock(shared?: KeyLock | undefined): KeyLock {
  const lastByName = new Map<string, Promise<unknown>>()
  return {
    async hold(storedName, change) {
      const before = lastByName.get(storedName)
      const run = shared === undefined ? change : () => shared.hold(storedName, change)
      const mine = (before ?? Promise.resolve()).then(run, run)
      lastByName.set(storedName, mine)
      try {
        return await mine
      } finally {
        if (lastByName.get(storedName) === mine) lastByName.delete(storedName)
      }
    },
  }
}
