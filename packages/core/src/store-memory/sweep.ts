/**
 * Forgets what is over, slowly and in small slices, so that tables in memory do not grow for ever. Nobody relies on it:
 * everything is checked for its end when it is read. There are no timers per entry.
 */
import type { Cancel, Clock, Millis } from '../ports/clock.ts'

/** A table that can be looked through a piece at a time. */
export interface Sweepable {
  /** Looks at the next `entries` entries and forgets those that are over; true at the end of the table. */
  sweepSlice(entries: number, now: Millis): boolean
}

const pauseBetweenRoundsMs = 30_000
const pauseBetweenSlicesMs = 20
/** About a fifth of a millisecond of work. */
const entriesPerSlice = 2000

/** Makes a map sweepable. `onRemoved` hears the names that went. */
export function sweepMap<V>(
  map: Map<string, V>,
  isOver: (value: V, now: Millis) => boolean,
  onRemoved?: (name: string) => void,
): Sweepable {
  // A map's iterator bears insertions and deletions between two steps, so a round goes on where the last slice ended.
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

/** Sweeps the tables one after the other, every half minute, until it is taken back. */
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
