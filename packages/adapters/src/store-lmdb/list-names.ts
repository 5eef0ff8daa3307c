/** The names of a table's living records that begin with a prefix, looked through a slice at a time. */
import type { Clock, Millis } from '@turnpike/core'
import { isHashedKey, nameOfKey, rangeOfPrefix } from './name-key.ts'
import type { Table } from './open-database.ts'

/** Records looked at in one go, about a millisecond's work. */
const sliceSize = 500

/** How the records of a table are read. */
export interface RecordReading {
  readonly isExpired: (record: Buffer, now: Millis) => boolean
  /** The name that a record carries when its key does not tell it. */
  readonly nameIn: (record: Buffer) => string
}

/** Resolves with the names, in no certain order. */
export async function listNames(table: Table, prefix: string, clock: Clock, reading: RecordReading): Promise<string[]> {
  const names: string[] = []
  const { start, end } = rangeOfPrefix(prefix)
  for (let from: Buffer | undefined = start; from !== undefined; ) {
    const slice = table.slice(from, end, sliceSize)
    const now = clock.now()
    for (const { key, value } of slice.records) {
      if (reading.isExpired(value, now)) continue
      const name = isHashedKey(key) ? reading.nameIn(value) : nameOfKey(key)
      if (name.startsWith(prefix)) names.push(name)
    }
    from = slice.next
    if (from !== undefined) await clock.breathe()
  }
  return names
}
