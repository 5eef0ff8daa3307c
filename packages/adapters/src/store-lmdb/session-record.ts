/**
 * The binary form of a session: a head with the fields that requests and sweeps read, then the session's own fields, then
 * its rights. Finding a key whose rights are already decoded reads only the head. Fields have their wire names, and zero
 * values are omitted; a field that a later version adds reads as zero in old records.
 */
import type { Millis } from '@turnpike/core/lib'
import { type Session, type StoredSession, sessionShape } from '@turnpike/core/ports'
import { mayRequireProof, splitSession } from '@turnpike/core/session'
import { Packr } from 'msgpackr'

let made: Packr | undefined

/** Made with the first session, because loading msgpackr takes time of every start. */
function packr(): Packr {
  // Without shared structures, so that each record can be decoded by itself.
  made ??= new Packr({ useRecords: false })
  return made
}

// Offsets in the head. A time of 0 means none.
const versionAt = 0
const storedUntilAt = 1
const expiresAt = 9
/** Written for releases that read it; this one reads the field of the session. */
const quotaRenewsAt = 17
const updatedLengthAt = 25
const ownLengthAt = 27
export const headBytes = 31

/**
 * The first byte is the version of the format. Two versions differ only in whether the session may be bound to a way to
 * authenticate; in records of version 1, which older releases wrote, that is not known.
 */
const noProofVersion = 2
const maybeProofVersion = 3
const knownVersions: ReadonlySet<number | undefined> = new Set([1, noProofVersion, maybeProofVersion])
/** Marks a `last_updated` that is not ASCII; it is then stored among the own fields. */
const oddUpdated = 0xffff

/** The decoded head of a record. */
export interface RecordHead {
  storedUntil: Millis | undefined
  expires: number
  /** Length of `last_updated`, which follows the head; `undefined`: it is among the own fields. */
  updatedLength: number | undefined
  ownLength: number
  mayRequireProof: boolean
}

const zero = sessionShape.zero()

/** Encodes a session. `name` is stored too if the key is a hash. */
export function packSession(session: Session, storedUntil: Millis | undefined, name: string | undefined): Buffer {
  const { own, rights } = splitSession(session, zero)
  const ownFields = sessionShape.writeSparse({ ...zero, ...own })
  const ownBytes = Buffer.from(packr().pack(name === undefined ? [ownFields] : [ownFields, name]))
  const rightsBytes = packr().pack(sessionShape.writeSparse(rights))
  const isOdd = session.lastUpdated.length >= oddUpdated || !/^[\x20-\x7e]*$/.test(session.lastUpdated)
  const updated = Buffer.from(isOdd ? '' : session.lastUpdated, 'latin1')
  const head = Buffer.alloc(headBytes)
  head[versionAt] = mayRequireProof(session) ? maybeProofVersion : noProofVersion
  head.writeDoubleBE(storedUntil ?? 0, storedUntilAt)
  head.writeDoubleBE(session.expires, expiresAt)
  head.writeDoubleBE(session.quotaRenews, quotaRenewsAt)
  head.writeUInt16BE(isOdd ? oddUpdated : updated.length, updatedLengthAt)
  head.writeUInt32BE(ownBytes.length, ownLengthAt)
  return Buffer.concat([head, updated, ownBytes, rightsBytes])
}

/** Decodes the head of a record into an object that the next call overwrites. */
export function readHead(record: Buffer): RecordHead {
  checkVersion(record)
  const updatedLength = record.readUInt16BE(updatedLengthAt)
  head.storedUntil = storedUntilOf(record)
  head.expires = record.readDoubleBE(expiresAt)
  head.updatedLength = updatedLength === oddUpdated ? undefined : updatedLength
  head.ownLength = record.readUInt32BE(ownLengthAt)
  head.mayRequireProof = record[versionAt] !== noProofVersion
  return head
}

const head: RecordHead = {
  storedUntil: undefined,
  expires: 0,
  updatedLength: 0,
  ownLength: 0,
  mayRequireProof: true,
}

/** Decodes the session of a record. The caller owns the result. */
export function unpackSession(record: Buffer): StoredSession {
  const { storedUntil, updatedLength = 0, ownLength } = readHead(record)
  const start = headBytes + updatedLength
  const own = record.subarray(start, start + ownLength)
  return { session: joinSession(own, record.subarray(start + ownLength)), storedUntil }
}

/** Joins the two decoded parts of a record. */
function joinSession(own: Buffer, rights: Buffer): Session {
  const [ownFields] = packr().unpack(own) as [object]
  return sessionShape.read({ ...(packr().unpack(rights) as object), ...ownFields }, [], [])
}

/** Decodes the rights of a record, with the own fields at zero. */
export function unpackRights(rights: Buffer): Session {
  return sessionShape.read(packr().unpack(rights), [], [])
}

/** When the session is removed; `undefined`: never. */
export function storedUntilOf(record: Buffer): Millis | undefined {
  const storedUntil = record.readDoubleBE(storedUntilAt)
  return storedUntil === 0 ? undefined : storedUntil
}

/** Returns true if the session has expired. */
export function isExpired(record: Buffer, now: Millis): boolean {
  const storedUntil = storedUntilOf(record)
  return storedUntil !== undefined && now >= storedUntil
}

/** Decodes the name in a record. */
export function nameIn(record: Buffer): string {
  const { updatedLength = 0, ownLength } = readHead(record)
  const start = headBytes + updatedLength
  const [, name] = packr().unpack(record.subarray(start, start + ownLength)) as [unknown, string]
  return name
}

function checkVersion(record: Buffer): void {
  if (!knownVersions.has(record[versionAt]))
    throw new Error('a stored session was written by another version of the store')
}
