/** Sessions on disk. Reading is synchronous; writing settles when the disk has it. */
import { randomBytes } from 'node:crypto'
import type { Cancel, Clock, KeyRows, SessionStore } from '@turnpike/core'
import { fillIndex } from './fill-index.ts'
import { listNames } from './list-names.ts'
import { isHashedKey, keyOfName, nameOfKey } from './name-key.ts'
import type { Table } from './open-database.ts'
import { OutlineIndex } from './outline-index.ts'
import { makeSessionKinds } from './session-kinds.ts'
import { readOutline } from './session-outlines.ts'
import { isGone, nameIn, packSession, unpackSession } from './session-record.ts'

export interface LmdbSessions extends SessionStore {
  /** The record of a key was removed behind the store's back, by the sweep. */
  forgetKey(key: Buffer): void
  /** Where the counters of keys may lie. */
  readonly keyRows: KeyRows
  /** Begins to read all outlines into memory; without it they are taken in when they are asked for. */
  startFilling(): Cancel
}

/** Makes a session store over one table. */
export function makeLmdbSessions(table: Table, clock: Clock): LmdbSessions {
  const kinds = makeSessionKinds()
  const get = (storedName: string) => {
    const record = table.get(keyOfName(storedName))
    return record === undefined || isGone(record, clock.now()) ? undefined : unpackSession(record)
  }
  const index = new OutlineIndex({
    kinds,
    readWhole: (storedName) => get(storedName)?.session,
    seed: randomBytes(4).readInt32BE(),
    expected: table.count(),
  })

  return {
    get,
    outline(storedName) {
      // No closure: this is asked for every key that is not in memory.
      const id = index.find(storedName)
      if (id >= 0) return index.read(id, storedName, clock)
      const length = table.peek(storedName)
      if (length < 0) return undefined
      const outline = readOutline(kinds, table.peeked, length, clock.now())
      if (outline !== undefined) index.learn(storedName, table.peeked, length)
      return outline
    },
    async put(storedName, session, lifetimeMs) {
      const key = keyOfName(storedName)
      const goneAt = lifetimeMs === undefined ? undefined : clock.now() + lifetimeMs
      const record = packSession(session, goneAt, isHashedKey(key) ? storedName : undefined)
      const isFirst = index.beginWrite(storedName)
      try {
        await table.write(() => table.put(key, record))
      } catch (error) {
        index.endWrite(storedName)
        throw error
      }
      const isLast = index.endWrite(storedName)
      // Of writes that met the last one counts; who asks next finds out which that was.
      if (isFirst && isLast) index.learn(storedName, record, record.length)
    },
    async remove(storedName) {
      const key = keyOfName(storedName)
      index.beginWrite(storedName)
      try {
        // In a transaction, so that of two removals at once only one was the one.
        return await table.write(() => {
          const record = table.get(key)
          if (record === undefined) return false
          table.remove(key)
          return !isGone(record, clock.now())
        })
      } finally {
        index.endWrite(storedName)
      }
    },
    list: (prefix) => listNames(table, prefix, clock, { isGone, nameIn }),
    forgetKey(key) {
      if (!isHashedKey(key)) index.drop(nameOfKey(key))
    },
    keyRows: index.rows,
    startFilling: () => fillIndex(table, index, clock),
  } satisfies LmdbSessions
}
