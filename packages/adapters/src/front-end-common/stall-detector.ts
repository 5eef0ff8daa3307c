/**
 * Detects bodies that make no progress because of the client; one byte is progress, there is no minimum rate. One
 * periodic sweep checks all bodies, because a timer per request would cost more than the request. `ClientExchange`
 * sends 408 when its body stalled; `requestProgressed` of each front end compares the bytes.
 */
export interface StallCandidate {
  /** What the client delays: it does not send its body, or does not read the response. */
  readonly stallKind: 'body' | 'write'
  /** Returns true if bytes moved since the last call, or if the client is not the cause of the delay. */
  progressed(): boolean
  /** Called once after the time without progress is over. */
  stalled(): void
  /** Consecutive sweeps without progress; written by the detector only. */
  idleTicks: number
}

export interface StallDetector {
  add(entry: StallCandidate): void
  remove(entry: StallCandidate): void
  stop(): void
}

/**
 * Maximum time between two sweeps. On the uWebSockets.js front end a sweep also restarts the built-in connection
 * timeout of 8 to 12 s, so it must be shorter than that.
 */
const maxTickMs = 4_000

/** Milliseconds without progress, by what the client delays. */
export type StallLimits = Readonly<Record<StallCandidate['stallKind'], number>>

/**
 * Makes a detector that calls `stalled` after the time without progress, plus the time of at most two sweeps. Its timer
 * does not keep the process alive.
 */
export function makeStallDetector(limits: StallLimits): StallDetector {
  const entries = new Set<StallCandidate>()
  const tickMs = Math.max(5, Math.min(maxTickMs, limits.body / 4, limits.write / 4))
  const maxIdleTicks = { body: Math.ceil(limits.body / tickMs), write: Math.ceil(limits.write / tickMs) }
  const timer = setInterval(sweep, tickMs)
  timer.unref()
  function sweep(): void {
    for (const entry of entries) {
      if (entry.progressed()) entry.idleTicks = 0
      else if (++entry.idleTicks > maxIdleTicks[entry.stallKind]) {
        entries.delete(entry)
        entry.stalled()
      }
    }
  }
  return {
    add(entry) {
      entry.idleTicks = 0
      entries.add(entry)
    },
    remove: (entry) => void entries.delete(entry),
    stop: () => clearInterval(timer),
  }
}
