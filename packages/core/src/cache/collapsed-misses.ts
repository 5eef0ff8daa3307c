/**
 * Collapses concurrent misses of a cache entry into one call of the upstream. The first request calls it, the others wait
 * until its response is stored and then look into the cache again. They wait for at most a second, and no longer than
 * until the head of the response shows that it will not be stored. An entry whose last response could not be shared is
 * remembered for some seconds, in which nobody waits for it: otherwise requests of what cannot be cached would take twice
 * as long.
 */
import type { Clock, Millis } from '../ports/clock.ts'

/** `unshared`: the response must not be stored. `failed`: there is no response to store. */
export type MissResult = 'stored' | 'unshared' | 'failed'

/** The call of the upstream for a miss. */
export interface Miss {
  /** Wakes those who wait. Later calls have no effect. */
  end(result: MissResult): void
}

const maxWaitMs = 1000
const unsharedMs = 5000
/** More entries are searched for old ones. */
const manyEntries = 1000

interface Entry {
  /** Start of the call, or when the response turned out not to be shared. */
  since: Millis
  isUnshared: boolean
  waiting: (() => void)[]
}

export class CollapsedMisses {
  private readonly clock: Clock
  /** By cache key, the oldest first. */
  private readonly entries = new Map<string, Entry>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  /**
   * Returns a `Miss` if the caller calls the upstream for others too, a promise if it should wait and look into the cache
   * again, and `undefined` if it calls the upstream for itself.
   */
  join(name: string): Miss | Promise<void> | undefined {
    const now = this.clock.now()
    const entry = this.entries.get(name)
    if (entry === undefined || isOld(entry, now)) return this.begin(name, now)
    return entry.isUnshared ? undefined : this.wait(entry, entry.since + maxWaitMs - now)
  }

  private begin(name: string, now: Millis): Miss {
    this.removeOld(now)
    const entry: Entry = { since: now, isUnshared: false, waiting: [] }
    // Deleted first, so that the map stays in the order of time.
    this.entries.delete(name)
    this.entries.set(name, entry)
    return { end: (result) => this.end(name, entry, result) }
  }

  private end(name: string, entry: Entry, result: MissResult): void {
    if (entry.isUnshared) return
    if (this.entries.get(name) === entry) {
      if (result === 'unshared') Object.assign(entry, { isUnshared: true, since: this.clock.now() })
      else this.entries.delete(name)
    }
    for (const wake of entry.waiting.splice(0)) wake()
  }

  private wait(entry: Entry, ms: Millis): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.clock.after(ms, resolve)
      entry.waiting.push(() => {
        cancel()
        resolve()
      })
    })
  }

  private removeOld(now: Millis): void {
    if (this.entries.size < manyEntries) return
    for (const [name, entry] of this.entries) {
      if (!isOld(entry, now)) return
      this.entries.delete(name)
    }
  }
}

function isOld({ since, isUnshared }: Entry, now: Millis): boolean {
  return now < since || now - since >= (isUnshared ? unsharedMs : maxWaitMs)
}
