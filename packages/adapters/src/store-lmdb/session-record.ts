/**
 * A session as bytes: a head with what the hot path needs and what a sweep looks at, then the session's own fields,
 * then its rights, so that finding a key whose rights are known decodes next to nothing. Fields stand
 * under their wire names, zero fields are left out; what a later version adds is absent in old records and reads as
 * zero.
 */
import { type Millis, mayBeBound, type Session, type StoredSession, sessionShape, splitSession } from '@turnpike/core'
import { Packr } from 'msgpackr'

// No shared structures: a record can be read without anything else being intact.
const packr = new Packr({ useRecords: false })

// The head; a time of 0 is none.
const versionAt = 0
const storedUntilAt = 1
const expiresAt = 9
const quotaRenewsAt = 17
const updatedLengthAt = 25
const ownLengthAt = 27
export const headBytes = 31

/**
 * The first byte is the version of the format. Two versions differ only in whether the session may be bound to a way to
 * authenticate; in records of version 1, which older releases wrote, that is not known.
 */
const unboundVersion = 2
const maybeBoundVersion = 3
const knownVersions: ReadonlySet<number | undefined> = new Set([1, unboundVersion, maybeBoundVersion])
/** Stands for the length of a `last_updated` that is no ASCII text; it is found among the own fields. */
const oddUpdated = 0xffff

/** What the head tells. */
export interface RecordHead {
  storedUntil: Millis | undefined
  expires: number
  quotaRenews: number
  /** Length of `last_updated`, which follows the head; `undefined`: it must be read from the own fields. */
  updatedLength: number | undefined
  ownLength: number
  mayBeBound: boolean
}

const zero = sessionShape.zero()

/** The bytes of a session; `name` is carried where its key does not tell it. */
export function packSession(session: Session, storedUntil: Millis | undefined, name: string | undefined): Buffer {
  const { own, rights } = splitSession(session, zero)
  const ownFields = sessionShape.writeSparse({ ...zero, ...own })
  const ownBytes = Buffer.from(packr.pack(name === undefined ? [ownFields] : [ownFields, name]))
  const rightsBytes = packr.pack(sessionShape.writeSparse(rights))
  const isOdd = session.lastUpdated.length >= oddUpdated || !/^[\x20-\x7e]*$/.test(session.lastUpdated)
  const updated = Buffer.from(isOdd ? '' : session.lastUpdated, 'latin1')
  const head = Buffer.alloc(headBytes)
  head[versionAt] = mayBeBound(session) ? maybeBoundVersion : unboundVersion
  head.writeDoubleBE(storedUntil ?? 0, storedUntilAt)
  head.writeDoubleBE(session.expires, expiresAt)
  head.writeDoubleBE(session.quotaRenews, quotaRenewsAt)
  head.writeUInt16BE(isOdd ? oddUpdated : updated.length, updatedLengthAt)
  head.writeUInt32BE(ownBytes.length, ownLengthAt)
  return Buffer.concat([head, updated, ownBytes, rightsBytes])
}

/** The head of a record, in an object that the next call fills anew. */
export function readHead(record: Buffer): RecordHead {
  checkVersion(record)
  const updatedLength = record.readUInt16BE(updatedLengthAt)
  head.storedUntil = storedUntilOf(record)
  head.expires = record.readDoubleBE(expiresAt)
  head.quotaRenews = record.readDoubleBE(quotaRenewsAt)
  head.updatedLength = updatedLength === oddUpdated ? undefined : updatedLength
  head.ownLength = record.readUInt32BE(ownLengthAt)
  head.mayBeBound = record[versionAt] !== unboundVersion
  return head
}

const head: RecordHead = {
  storedUntil: undefined,
  expires: 0,
  quotaRenews: 0,
  updatedLength: 0,
  ownLength: 0,
  mayBeBound: true,
}

/** The session of a record. Whoever reads it owns it. */
export function unpackSession(record: Buffer): StoredSession {
  const { storedUntil, updatedLength = 0, ownLength } = readHead(record)
  const start = headBytes + updatedLength
  const own = record.subarray(start, start + ownLength)
  return { session: joinSession(own, record.subarray(start + ownLength)), storedUntil }
}

/** The session of the two parts of a record. */
function joinSession(own: Buffer, rights: Buffer): Session {
  const [ownFields] = packr.unpack(own) as [object]
  return sessionShape.read({ ...(packr.unpack(rights) as object), ...ownFields }, [], [])
}

/** The rights of a record, the session's own fields at zero. */
export function unpackRights(rights: Buffer): Session {
  return sessionShape.read(packr.unpack(rights), [], [])
}

/** When the session is removed; `undefined`: never. */
export function storedUntilOf(record: Buffer): Millis | undefined {
  const storedUntil = record.readDoubleBE(storedUntilAt)
  return storedUntil === 0 ? undefined : storedUntil
}

/** Whether the session's lifetime is over. */
export function isExpired(record: Buffer, now: Millis): boolean {
  const storedUntil = storedUntilOf(record)
  return storedUntil !== undefined && now >= storedUntil
}

/** The name that a record carries. */
export function nameIn(record: Buffer): string {
  const { updatedLength = 0, ownLength } = readHead(record)
  const start = headBytes + updatedLength
  const [, name] = packr.unpack(record.subarray(start, start + ownLength)) as [unknown, string]
  return name
}

function checkVersion(record: Buffer): void {
  if (!knownVersions.has(record[versionAt]))
    throw new Error('a stored session was written by another version of the store')
}
