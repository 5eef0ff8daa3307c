/**
 * Finds exchanges whose client lets a body stand still. One slow sweep for all of them: a timer for each request would
 * cost more than the request.
 */
export interface Watched {
  /** A look: whether anything moved since the last one, or the wait is not the client's fault. */
  moved(): boolean
  /** The time is over. */
  stalled(): void
  /** Quiet looks in a row; the watch keeps count here. */
  quietLooks: number
}

export interface StallWatch {
  add(entry: Watched): void
  remove(entry: Watched): void
  stop(): void
}

/** Often enough to be exact to a quarter of the time allowed, and to keep uWS from its own time-outs of 8 to 12 s. */
const longestLookMs = 4_000

/** A watch that calls `stalled` once after `stallMs` without movement. It never keeps the process alive. */
export function makeStallWatch(stallMs: number): StallWatch {
  const entries = new Set<Watched>()
  const lookMs = Math.max(5, Math.min(longestLookMs, stallMs / 4))
  const looks = Math.ceil(stallMs / lookMs)
  const timer = setInterval(look, lookMs)
  timer.unref()
  function look(): void {
    for (const entry of entries) {
      if (entry.moved()) entry.quietLooks = 0
      else if (++entry.quietLooks > looks) {
        entries.delete(entry)
        entry.stalled()
      }
    }
  }
  return {
    add(entry) {
      entry.quietLooks = 0
      entries.add(entry)
    },
    remove: (entry) => void entries.delete(entry),
    stop: () => clearInterval(timer),
  }
}
