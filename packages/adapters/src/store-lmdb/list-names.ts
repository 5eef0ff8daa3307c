/** Lists the names of unexpired records that start with a prefix, one slice at a time. */
import type { Millis } from '@turnpike/core/lib'
import type { Clock } from '@turnpike/core/ports'
import { isHashedKey, nameOfKey, rangeOfPrefix } from './name-key.ts'
import type { Table } from './open-database.ts'

/** Records per slice: about a millisecond of work. */
const sliceSize = 500

/** Decoders for the records of a table. */
export interface RecordReading {
  readonly isExpired: (record: Buffer, now: Millis) => boolean
  /** Decodes the name of a record whose key is a hash. */
  readonly nameIn: (record: Buffer) => string
}

/** Resolves with the names, in any order. */
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
