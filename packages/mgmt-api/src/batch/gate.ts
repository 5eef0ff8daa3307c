/** How many items of one batch call, with those of batches inside it, are under way at once. */
export interface Gate {
  /** Takes a place; false when none is free. */
  enter(): boolean
  leave(): void
  /** Calls once when a place may be free again; whoever waited longest comes first. */
  whenFree(wake: () => void): void
}

export function makeGate(places: number): Gate {
  let free = places
  const waiting: (() => void)[] = []
  return {
    enter() {
      if (free === 0) return false
      free -= 1
      return true
    },
    leave() {
      free += 1
      // Who was woken may have no more use for the place.
      while (free > 0 && waiting.length > 0) waiting.shift()?.()
    },
    whenFree(wake) {
      waiting.push(wake)
    },
  }
}
