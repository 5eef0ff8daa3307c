/**
 * One change of a key at a time. A change reads the stored session and writes it back, with waiting in between; without
 * a queue, an update could bring back a key that was removed meanwhile. It holds on this node: between nodes on one
 * store the last write wins, as in every cluster of this kind.
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
