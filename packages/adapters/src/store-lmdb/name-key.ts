/**
 * Names as keys of the database. A name is its UTF-8 bytes, so that a prefix is a range. A name that the database
 * cannot hold (empty, longer than a key may be, or no proper Unicode) is cut and told apart by its hash; such a key
 * has a byte that UTF-8 never has, and its record carries the name itself.
 */
import { createHash } from 'node:crypto'

/** Bytes of a name that go into a key; the database takes 1978 in all. */
const longestPlain = 1900
const mark = 0xff

/** The key under which the name is kept. */
export function keyOfName(name: string): Buffer {
  const plain = Buffer.from(name, 'utf8')
  if (plain.length > 0 && plain.length <= longestPlain && plain.toString('utf8') === name) return plain
  const hash = createHash('sha256').update(Buffer.from(name, 'utf16le')).digest()
  return Buffer.concat([plain.subarray(0, longestPlain), Buffer.from([mark]), hash])
}

/** For the database: takes keys, and names as well, which are written without a copy where they are plain ASCII. */
export const nameEncoder = {
  writeKey(key: Uint8Array | string, target: Uint8Array, start: number): number {
    if (typeof key !== 'string') {
      target.set(key, start)
      return start + key.length
    }
    const { length } = key
    if (length === 0 || length > longestPlain) return nameEncoder.writeKey(keyOfName(key), target, start)
    for (let i = 0; i < length; i++) {
      const unit = key.charCodeAt(i)
      if (unit > 0x7f) return nameEncoder.writeKey(keyOfName(key), target, start)
      target[start + i] = unit
    }
    return start + length
  },
  readKey: (source: Uint8Array, start: number, end: number): Buffer => Buffer.from(source.subarray(start, end)),
}

/** Whether the key's record has to carry the name. */
export function isHashedKey(key: Uint8Array): boolean {
  return key.includes(mark)
}

/** The name of a key that is not hashed. */
export function nameOfKey(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('utf8')
}

/** The range in which every key of a name with this prefix lies; other keys may lie in it too. */
export function rangeOfPrefix(prefix: string): { start: Buffer; end: Buffer | undefined } {
  const plain = Buffer.from(prefix, 'utf8')
  // An end that is no proper Unicode is cut off, since it is written differently once its other half follows.
  const start = plain.subarray(0, Math.min(longestPlain, lengthBeforeReplacement(plain)))
  for (let i = start.length - 1; i >= 0; i--) {
    if ((start[i] as number) === 0xff) continue
    const end = Buffer.from(start.subarray(0, i + 1))
    end[i] = (end[i] as number) + 1
    return { start: start.length === 0 ? Buffer.from([0]) : start, end }
  }
  return { start: Buffer.from([0]), end: undefined }
}

const replacement = Buffer.from('\ufffd')

function lengthBeforeReplacement(bytes: Buffer): number {
  const at = bytes.indexOf(replacement)
  return at < 0 ? bytes.length : at
}
