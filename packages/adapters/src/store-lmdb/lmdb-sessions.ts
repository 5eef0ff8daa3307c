/** Sessions on disk. Reads are synchronous; writes settle when they are on disk. */
import type { Millis } from '@turnpike/core/lib'
import type { Clock, Session, SessionStore, SessionSummary } from '@turnpike/core/ports'
import { SharedRights } from '@turnpike/core/session'
import { listNames } from './list-names.ts'
import { isHashedKey, keyOfName } from './name-key.ts'
import type { Table } from './open-database.ts'
import { headBytes, isExpired, nameIn, packSession, readHead, unpackRights, unpackSession } from './session-record.ts'

/** Makes a session store over one table. */
export function makeLmdbSessions(table: Table, clock: Clock): SessionStore {
  const shared = new SharedRights()
  /** Rights of the last record and their bytes. Consecutive reads nearly always have equal rights. */
  let last: { readonly rights: Session; readonly bytes: Buffer } | undefined

  const rightsIn = (record: Buffer, start: number, end: number): Session => {
    if (last === undefined || record.compare(last.bytes, 0, last.bytes.length, start, end) !== 0) {
      const bytes = Buffer.from(record.subarray(start, end))
      last = { rights: shared.of(bytes.toString('latin1'), () => unpackRights(bytes)), bytes }
    }
    return last.rights
  }
  const get = (name: string) => {
    const record = table.get(keyOfName(name))
    return record === undefined || isExpired(record, clock.now()) ? undefined : unpackSession(record)
  }
  const wholeOf = (name: string) => get(name)?.session

  return {
    find(name) {
      const length = table.peek(name)
      if (length < 0) return undefined
      const record = table.peeked
      const { storedUntil, expires, updatedLength, ownLength, mayRequireProof } = readHead(record)
      if (storedUntil !== undefined && clock.now() >= storedUntil) return undefined
      const rightsAt = headBytes + (updatedLength ?? 0) + ownLength
      const rights = rightsIn(record, rightsAt, length)
      const lastUpdated =
        updatedLength === undefined
          ? (wholeOf(name)?.lastUpdated ?? '')
          : record.toString('latin1', headBytes, headBytes + updatedLength)
      const times = { expires, lastUpdated, storedUntil }
      return new FoundSession(name, rights, times, mayRequireProof, wholeOf)
    },
    get,
    async put(name, session, lifetimeMs) {
      const key = keyOfName(name)
      const storedUntil = lifetimeMs === undefined ? undefined : clock.now() + lifetimeMs
      const record = packSession(session, storedUntil, isHashedKey(key) ? name : undefined)
      await table.write(() => table.put(key, record))
    },
    remove(name) {
      const key = keyOfName(name)
      // In a transaction, so that only one of two concurrent removals returns true.
      return table.write(() => {
        const record = table.get(key)
        if (record === undefined) return false
        table.remove(key)
        return !isExpired(record, clock.now())
      })
    },
    list: (prefix) => listNames(table, prefix, clock, { isExpired, nameIn }),
  } satisfies SessionStore
}

type SessionTimes = Pick<SessionSummary, 'expires' | 'lastUpdated' | 'storedUntil'>

class FoundSession implements SessionSummary {
  readonly rights: Session
  readonly expires: number
  readonly lastUpdated: string
  readonly mayRequireProof: boolean
  readonly storedUntil: Millis | undefined
  private readonly name: string
  private readonly wholeOf: (name: string) => Session | undefined

  constructor(
    name: string,
    rights: Session,
    { expires, lastUpdated, storedUntil }: SessionTimes,
    mayRequireProof: boolean,
    wholeOf: (name: string) => Session | undefined,
  ) {
    this.name = name
    this.rights = rights
    this.expires = expires
    this.lastUpdated = lastUpdated
    this.mayRequireProof = mayRequireProof
    this.storedUntil = storedUntil
    this.wholeOf = wholeOf
  }

  /** If the session was removed since, returns the fields that are known without the disk. */
  whole(): Session {
    const { rights, expires, lastUpdated } = this
    return this.wholeOf(this.name) ?? { ...rights, expires, lastUpdated }
  }
}
