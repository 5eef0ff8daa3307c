/**
 * A map of texts on disk. Reads are synchronous; writes settle when they are on disk. Operations that read before they
 * write use one transaction, so that exactly one of several concurrent calls succeeds.
 */
import type { Millis } from '@turnpike/core/lib'
import type { Clock, RankedLists, RecordStore } from '@turnpike/core/ports'
import { listNames } from './list-names.ts'
import { isHashedKey, keyOfName } from './name-key.ts'
import type { Table } from './open-database.ts'
import { carriedName, isTextExpired, packText, textIn } from './text-record.ts'

/** Makes a record store over one table. */
export function makeLmdbRecords(table: Table, clock: Clock): Omit<RecordStore, keyof RankedLists> {
  const living = (key: Buffer): Buffer | undefined => {
    const record = table.get(key)
    return record === undefined || isTextExpired(record, clock.now()) ? undefined : record
  }
  // The lifetime starts at the call, not when the disk has written the record.
  const packed = (name: string, key: Buffer, text: string, lifetimeMs: Millis | undefined): Buffer => {
    const expiresAt = lifetimeMs === undefined ? undefined : clock.now() + lifetimeMs
    return packText(text, expiresAt, isHashedKey(key) ? name : undefined)
  }
  /** Removes a record and returns it if it had not expired. */
  const removed = (key: Buffer): Promise<Buffer | undefined> =>
    table.write(() => {
      const record = living(key)
      table.remove(key)
      return record
    })

  return {
    get(name) {
      const record = living(keyOfName(name))
      return record === undefined ? undefined : textIn(record)
    },
    async put(name, text, lifetimeMs) {
      const key = keyOfName(name)
      const record = packed(name, key, text, lifetimeMs)
      await table.write(() => table.put(key, record))
    },
    add(name, text, lifetimeMs) {
      const key = keyOfName(name)
      const record = packed(name, key, text, lifetimeMs)
      return table.write(() => {
        if (living(key) !== undefined) return false
        table.put(key, record)
        return true
      })
    },
    async take(name) {
      const record = await removed(keyOfName(name))
      return record === undefined ? undefined : textIn(record)
    },
    remove: async (name) => (await removed(keyOfName(name))) !== undefined,
    names: (prefix) => listNames(table, prefix, clock, { isExpired: isTextExpired, nameIn: carriedName }),
  }
}
