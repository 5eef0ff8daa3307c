/**
 * The bytes of a text with its expiry and, if the key is a hash, its name. A text with unpaired surrogates is stored as
 * UTF-16, so that every text is read as it was written.
 */
import type { Millis } from '@turnpike/core/lib'

// The head: version, encodings of text and name, expiry, length of the name.
const versionAt = 0
const codingAt = 1
const expiresAtAt = 2
const nameLengthAt = 10
const headBytes = 14

const version = 1
const codings = ['utf8', 'utf16le'] as const

/** Encodes a text. `name` is stored too if the key is a hash. */
export function packText(text: string, expiresAt: Millis | undefined, name: string | undefined): Buffer {
  const nameBytes = Buffer.from(name ?? '', 'utf16le')
  const coding = Buffer.from(text, 'utf8').toString('utf8') === text ? 0 : 1
  const head = Buffer.alloc(headBytes)
  head[versionAt] = version
  head[codingAt] = coding
  head.writeDoubleBE(expiresAt ?? Number.POSITIVE_INFINITY, expiresAtAt)
  head.writeUInt32BE(nameBytes.length, nameLengthAt)
  return Buffer.concat([head, nameBytes, Buffer.from(text, codings[coding])])
}

/** Decodes the text of a record. */
export function textIn(record: Buffer): string {
  if (record[versionAt] !== version) throw new Error('a stored text was written by another version of the store')
  return record.toString(codings[record[codingAt] === 0 ? 0 : 1], headBytes + record.readUInt32BE(nameLengthAt))
}

/** Decodes the name in a record. */
export function carriedName(record: Buffer): string {
  return record.toString('utf16le', headBytes, headBytes + record.readUInt32BE(nameLengthAt))
}

/** Returns true if the text has expired. */
export function isTextExpired(record: Buffer, now: Millis): boolean {
  return now >= record.readDoubleBE(expiresAtAt)
}
