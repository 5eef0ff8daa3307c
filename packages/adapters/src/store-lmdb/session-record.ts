/**
 * A session as bytes: when it is gone (8 bytes, so that a sweep need not read the rest), then its fields under their
 * wire names, zero fields left out. Fields that a later version adds are absent in old records and read as zero.
 */
import { type Millis, type Session, type StoredSession, sessionShape } from '@turnpike/core'
import { Packr } from 'msgpackr'

// No shared structures: a record can be read without anything else being intact.
const packr = new Packr({ useRecords: false })

/** The bytes of a session; `name` is carried where its key does not tell it. */
export function packSession(session: Session, goneAt: Millis | undefined, name: string | undefined): Buffer {
  const fields = sessionShape.writeSparse(session)
  const packed = packr.pack(name === undefined ? [fields] : [fields, name])
  const record = Buffer.allocUnsafe(8 + packed.length)
  record.writeDoubleBE(goneAt ?? 0, 0)
  packed.copy(record, 8)
  return record
}

/** The session of a record. Whoever reads it owns it. */
export function unpackSession(record: Buffer): StoredSession {
  const [fields] = packr.unpack(record.subarray(8)) as [unknown]
  return { session: sessionShape.read(fields, [], []), goneAt: goneAtOf(record) }
}

/** When the session is gone; `undefined`: never. */
export function goneAtOf(record: Buffer): Millis | undefined {
  const goneAt = record.readDoubleBE(0)
  return goneAt === 0 ? undefined : goneAt
}

/** Whether the session's lifetime is over. */
export function isGone(record: Buffer, now: Millis): boolean {
  const goneAt = goneAtOf(record)
  return goneAt !== undefined && now >= goneAt
}

/** The name that a record carries. */
export function nameIn(record: Buffer): string {
  const [, name] = packr.unpack(record.subarray(8)) as [unknown, string]
  return name
}
