/** Sessions on disk. Reading is synchronous; writing settles when the disk has it. */
import type { Clock, SessionStore } from '@turnpike/core'
import { listNames } from './list-names.ts'
import { isHashedKey, keyOfName } from './name-key.ts'
import type { Table } from './open-database.ts'
import { makeSessionKinds } from './session-kinds.ts'
import { readOutline } from './session-outlines.ts'
import { isGone, nameIn, packSession, unpackSession } from './session-record.ts'

/** Makes a session store over one table. */
export function makeLmdbSessions(table: Table, clock: Clock): SessionStore {
  const kinds = makeSessionKinds()
  return {
    get(storedName) {
      const record = table.get(keyOfName(storedName))
      return record === undefined || isGone(record, clock.now()) ? undefined : unpackSession(record)
    },
    outline(storedName) {
      const length = table.peek(storedName)
      return length < 0 ? undefined : readOutline(kinds, table.peeked, length, clock.now())
    },
    async put(storedName, session, lifetimeMs) {
      const key = keyOfName(storedName)
      const goneAt = lifetimeMs === undefined ? undefined : clock.now() + lifetimeMs
      const record = packSession(session, goneAt, isHashedKey(key) ? storedName : undefined)
      await table.write(() => table.put(key, record))
    },
    remove(storedName) {
      const key = keyOfName(storedName)
      // In a transaction, so that of two removals at once only one was the one.
      return table.write(() => {
        const record = table.get(key)
        if (record === undefined) return false
        table.remove(key)
        return !isGone(record, clock.now())
      })
    },
    list: (prefix) => listNames(table, prefix, clock, { isGone, nameIn }),
  } satisfies SessionStore
}
