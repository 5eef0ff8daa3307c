/**
 * A text as bytes, with when it is over and, where its key does not tell it, its name. A text that is no proper Unicode
 * is kept letter by letter, so that whatever was put is what is read.
 */
import type { Millis } from '@turnpike/core'

// The head: version, how the two texts are written, when the text is over, bytes of the name.
const versionAt = 0
const codingAt = 1
const expiresAtAt = 2
const nameLengthAt = 10
const headBytes = 14

const version = 1
const codings = ['utf8', 'utf16le'] as const

/** The bytes of a text; `name` is carried where its key does not tell it. */
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

/** The text of a record. */
export function textIn(record: Buffer): string {
  if (record[versionAt] !== version) throw new Error('a stored text was written by another version of the store')
  return record.toString(codings[record[codingAt] === 0 ? 0 : 1], headBytes + record.readUInt32BE(nameLengthAt))
}

/** The name that a record carries. */
export function carriedName(record: Buffer): string {
  return record.toString('utf16le', headBytes, headBytes + record.readUInt32BE(nameLengthAt))
}

/** Whether the text's lifetime is over. */
export function isTextExpired(record: Buffer, now: Millis): boolean {
  return now >= record.readDoubleBE(expiresAtAt)
}
