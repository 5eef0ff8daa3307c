/** Limits how many items of one batch call, including nested batches, are in progress at a time. */
export interface Semaphore {
  /** Returns false if no slot is free. */
  tryAcquire(): boolean
  release(): void
  /** Calls `wake` once when a slot may be free again, in the order of registration. */
  onFree(wake: () => void): void
}

export function makeSemaphore(slots: number): Semaphore {
  let free = slots
  const waiting: (() => void)[] = []
  return {
    tryAcquire() {
      if (free === 0) return false
      free -= 1
      return true
    },
    release() {
      free += 1
      // The callback may not need the slot any more; then the next one is called.
      while (free > 0 && waiting.length > 0) waiting.shift()?.()
    },
    onFree(wake) {
      waiting.push(wake)
    },
  }
}
