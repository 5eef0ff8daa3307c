/**
 * Converts names to database keys. A key is the UTF-8 form of the name, so that a prefix is a key range. A name that
 * cannot be a key (empty, too long, or with unpaired surrogates) is truncated and followed by its hash. Such a key
 * contains a byte that never occurs in UTF-8, and its record contains the name.
 */
import { createHash } from 'node:crypto'

/** Maximum bytes of a name in a key. The maximum length of a key is 1978. */
const maxPlainBytes = 1900
const mark = 0xff

/** Returns the key of a name. */
export function keyOfName(name: string): Buffer {
  const plain = Buffer.from(name, 'utf8')
  if (plain.length > 0 && plain.length <= maxPlainBytes && plain.toString('utf8') === name) return plain
  const hash = createHash('sha256').update(Buffer.from(name, 'utf16le')).digest()
  return Buffer.concat([plain.subarray(0, maxPlainBytes), Buffer.from([mark]), hash])
}

/** Key encoder for the database. It accepts keys and names; ASCII names are encoded without a copy. */
export const nameEncoder = {
  writeKey(key: Uint8Array | string, target: Uint8Array, start: number): number {
    if (typeof key !== 'string') {
      target.set(key, start)
      return start + key.length
    }
    const { length } = key
    if (length === 0 || length > maxPlainBytes) return nameEncoder.writeKey(keyOfName(key), target, start)
    for (let i = 0; i < length; i++) {
      const unit = key.charCodeAt(i)
      if (unit > 0x7f) return nameEncoder.writeKey(keyOfName(key), target, start)
      target[start + i] = unit
    }
    return start + length
  },
  readKey: (source: Uint8Array, start: number, end: number): Buffer => Buffer.from(source.subarray(start, end)),
}

/** Returns true if the key is hashed, so that its record must contain the name. */
export function isHashedKey(key: Uint8Array): boolean {
  return key.includes(mark)
}

/** Decodes the name of a key that is not hashed. */
export function nameOfKey(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('utf8')
}

/** Returns a range that contains the key of every name with this prefix. It can contain other keys too. */
export function rangeOfPrefix(prefix: string): { start: Buffer; end: Buffer | undefined } {
  const plain = Buffer.from(prefix, 'utf8')
  // An unpaired surrogate at the end is cut off, because its encoding changes when its other half follows.
  const start = plain.subarray(0, Math.min(maxPlainBytes, lengthBeforeReplacement(plain)))
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
