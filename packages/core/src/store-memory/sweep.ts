/**
 * Removes expired entries in small slices, so that maps in memory do not grow without bound. Reads check the expiry
 * themselves, so correctness does not depend on the sweep. There are no timers per entry.
 */
import type { Cancel, Clock, Millis } from '../ports/clock.ts'

/** A map that can be swept one slice at a time. */
export interface Sweepable {
  /** Checks the next `entries` entries and removes expired ones. Returns true at the end of the map. */
  sweepSlice(entries: number, now: Millis): boolean
}

const pauseBetweenRoundsMs = 30_000
const pauseBetweenSlicesMs = 20
/** About a fifth of a millisecond of work. */
const entriesPerSlice = 2000

/** Makes a map sweepable. `onRemoved` receives the name of each removed entry. */
export function sweepMap<V>(
  map: Map<string, V>,
  isOver: (value: V, now: Millis) => boolean,
  onRemoved?: (name: string) => void,
): Sweepable {
  // A map iterator tolerates insertions and deletions between two steps, so a slice continues where the last one ended.
  let position: Iterator<[string, V]> | undefined
  return {
    sweepSlice(entries, now) {
      position ??= map.entries()
      for (let i = 0; i < entries; i += 1) {
        const next = position.next()
        if (next.done === true) {
          position = undefined
          return true
        }
        const [name, value] = next.value
        if (!isOver(value, now)) continue
        map.delete(name)
        onRemoved?.(name)
      }
      return false
    },
  }
}

/** Sweeps the maps one after the other, every 30 s, until the returned function is called. */
export function startSweeping(clock: Clock, tables: readonly Sweepable[]): Cancel {
  let table = 0
  const step = () => {
    if (tables[table]?.sweepSlice(entriesPerSlice, clock.now()) !== false) table += 1
    const roundIsOver = table >= tables.length
    if (roundIsOver) table = 0
    cancel = clock.after(roundIsOver ? pauseBetweenRoundsMs : pauseBetweenSlicesMs, step)
  }
  let cancel = clock.after(pauseBetweenRoundsMs, step)
  return () => cancel()
}
