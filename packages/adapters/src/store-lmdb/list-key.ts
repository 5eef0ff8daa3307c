/**
 * Keys of ranked lists. A key starts with a hash of the list's name, so that the entries of a list are adjacent. Each
 * member has two entries: one by name, which contains the rank, and one by rank, which contains the name. A range of
 * ranks is therefore a range of keys.
 */
import { createHash } from 'node:crypto'
import { keyOfName } from './name-key.ts'

const byMember = 0
const byRank = 1
const prefixBytes = 33

/** The key of the entry by name. */
export function memberKey(list: string, member: string): Buffer {
  return Buffer.concat([prefixOf(list, byMember), keyOfName(member)])
}

/** The key of the entry by rank. */
export function rankKey(list: string, rank: number, member: string): Buffer {
  return Buffer.concat([prefixOf(list, byRank), rankBytes(rank), keyOfName(member)])
}

/** The key range of members with at least this rank. Default: all members. */
export function rangeFromRank(list: string, fromRank = Number.NEGATIVE_INFINITY): { start: Buffer; end: Buffer } {
  return { start: Buffer.concat([prefixOf(list, byRank), rankBytes(fromRank)]), end: prefixOf(list, byRank + 1) }
}

/** The key range of members up to and including this rank. */
export function rangeToRank(list: string, toRank: number): { start: Buffer; end: Buffer } {
  // 34 bytes of 0xff sort after every name: UTF-8 never contains 0xff, and the key of an empty name has 33 bytes.
  const end = Buffer.concat([prefixOf(list, byRank), rankBytes(toRank), Buffer.alloc(34, 0xff)])
  return { start: prefixOf(list, byRank), end }
}

/** Decodes the rank in a key made by `rankKey`. */
export function rankOfKey(key: Buffer): number {
  const bytes = Buffer.from(key.subarray(prefixBytes, prefixBytes + 8))
  if ((bytes[0] as number) >= 0x80) bytes[0] = (bytes[0] as number) - 0x80
  else for (let i = 0; i < 8; i++) bytes[i] = 0xff - (bytes[i] as number)
  return bytes.readDoubleBE()
}

function prefixOf(list: string, kind: number): Buffer {
  const hash = createHash('sha256').update(Buffer.from(list, 'utf16le')).digest()
  return Buffer.concat([hash, Buffer.from([kind])])
}

/** Encodes a number so that bytes sort like numbers: inverts the sign bit, and all bits of negative numbers. */
function rankBytes(rank: number): Buffer {
  const bytes = Buffer.alloc(8)
  // −0 becomes 0, so that both have the same bytes.
  bytes.writeDoubleBE(rank === 0 ? 0 : rank)
  if ((bytes[0] as number) < 0x80) bytes[0] = (bytes[0] as number) + 0x80
  else for (let i = 0; i < 8; i++) bytes[i] = 0xff - (bytes[i] as number)
  return bytes
}
