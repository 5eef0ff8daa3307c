/**
 * A session as bytes: a head with what the hot path needs and what a sweep looks at, then the session's own fields,
 * then those that many keys have in common, so that reading a key in outline decodes next to nothing. Fields stand
 * under their wire names, zero fields are left out; what a later version adds is absent in old records and reads as
 * zero.
 */
import { type Millis, type Session, type StoredSession, sessionShape, splitSession } from '@turnpike/core'
import { Packr } from 'msgpackr'

// No shared structures: a record can be read without anything else being intact.
const packr = new Packr({ useRecords: false })

// The head; a time of 0 is none.
const versionAt = 0
const goneAtAt = 1
const expiresAt = 9
const quotaRenewsAt = 17
const updatedLengthAt = 25
const ownLengthAt = 27
export const headBytes = 31

const version = 1
/** Stands for the length of a `last_updated` that is no ASCII text; it is found among the own fields. */
const oddUpdated = 0xffff

/** What the head tells. */
export interface RecordHead {
  goneAt: Millis | undefined
  expires: number
  quotaRenews: number
  /** Length of `last_updated`, which follows the head; `undefined`: it must be read from the own fields. */
  updatedLength: number | undefined
  ownLength: number
}

/** The bytes of a session; `name` is carried where its key does not tell it. */
export function packSession(session: Session, goneAt: Millis | undefined, name: string | undefined): Buffer {
  const { own, common } = splitSession(session)
  const ownFields = sessionShape.writeSparse(own)
  const ownBytes = Buffer.from(packr.pack(name === undefined ? [ownFields] : [ownFields, name]))
  const commonBytes = packr.pack(sessionShape.writeSparse(common))
  const isOdd = session.lastUpdated.length >= oddUpdated || !/^[\x20-\x7e]*$/.test(session.lastUpdated)
  const updated = Buffer.from(isOdd ? '' : session.lastUpdated, 'latin1')
  const head = Buffer.alloc(headBytes)
  head[versionAt] = version
  head.writeDoubleBE(goneAt ?? 0, goneAtAt)
  head.writeDoubleBE(session.expires, expiresAt)
  head.writeDoubleBE(session.quotaRenews, quotaRenewsAt)
  head.writeUInt16BE(isOdd ? oddUpdated : updated.length, updatedLengthAt)
  head.writeUInt32BE(ownBytes.length, ownLengthAt)
  return Buffer.concat([head, updated, ownBytes, commonBytes])
}

/** The head of a record, in an object that the next call fills anew. */
export function readHead(record: Buffer): RecordHead {
  checkVersion(record)
  const updatedLength = record.readUInt16BE(updatedLengthAt)
  head.goneAt = goneAtOf(record)
  head.expires = record.readDoubleBE(expiresAt)
  head.quotaRenews = record.readDoubleBE(quotaRenewsAt)
  head.updatedLength = updatedLength === oddUpdated ? undefined : updatedLength
  head.ownLength = record.readUInt32BE(ownLengthAt)
  return head
}

const head: RecordHead = { goneAt: undefined, expires: 0, quotaRenews: 0, updatedLength: 0, ownLength: 0 }

/** The session of a record. Whoever reads it owns it. */
export function unpackSession(record: Buffer): StoredSession {
  const { goneAt, updatedLength = 0, ownLength } = readHead(record)
  const start = headBytes + updatedLength
  const own = record.subarray(start, start + ownLength)
  return { session: joinSession(own, record.subarray(start + ownLength)), goneAt }
}

/** The session of the two parts of a record. */
export function joinSession(own: Buffer, common: Buffer): Session {
  const [ownFields] = packr.unpack(own) as [object]
  return sessionShape.read({ ...(packr.unpack(common) as object), ...ownFields }, [], [])
}

/** The session of the common part, its own fields at zero. */
export function unpackCommon(common: Buffer): Session {
  return sessionShape.read(packr.unpack(common), [], [])
}

/** When the session is gone; `undefined`: never. */
export function goneAtOf(record: Buffer): Millis | undefined {
  const goneAt = record.readDoubleBE(goneAtAt)
  return goneAt === 0 ? undefined : goneAt
}

/** Whether the session's lifetime is over. */
export function isGone(record: Buffer, now: Millis): boolean {
  const goneAt = goneAtOf(record)
  return goneAt !== undefined && now >= goneAt
}

/** The name that a record carries. */
export function nameIn(record: Buffer): string {
  const { updatedLength = 0, ownLength } = readHead(record)
  const start = headBytes + updatedLength
  const [, name] = packr.unpack(record.subarray(start, start + ownLength)) as [unknown, string]
  return name
}

function checkVersion(record: Buffer): void {
  if (record[versionAt] !== version) throw new Error('a stored session was written by another version of the store')
}
