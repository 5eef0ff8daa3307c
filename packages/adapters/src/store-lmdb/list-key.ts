/**
 * Keys of ranked lists. A list is known by a hash of its name, so that its entries lie side by side whatever the name
 * is. Each member has two entries: one by its name, which holds the rank, and one by its rank, which holds the name;
 * a range of ranks is then a range of keys.
 */
import { createHash } from 'node:crypto'
import { keyOfName } from './name-key.ts'

const byMember = 0
const byRank = 1
const prefixBytes = 33

/** The key that tells a member's rank. */
export function memberKey(list: string, member: string): Buffer {
  return Buffer.concat([prefixOf(list, byMember), keyOfName(member)])
}

/** The key that finds a member by its rank. */
export function rankKey(list: string, rank: number, member: string): Buffer {
  return Buffer.concat([prefixOf(list, byRank), rankBytes(rank), keyOfName(member)])
}

/** The range of the members that have at least this rank, or where `fromRank` is left out, of all. */
export function rangeFromRank(list: string, fromRank = Number.NEGATIVE_INFINITY): { start: Buffer; end: Buffer } {
  return { start: Buffer.concat([prefixOf(list, byRank), rankBytes(fromRank)]), end: prefixOf(list, byRank + 1) }
}

/** The range of the members up to and including this rank. */
export function rangeToRank(list: string, toRank: number): { start: Buffer; end: Buffer } {
  // A member's bytes begin with such a one only when a hash of 32 is all that follows.
  const end = Buffer.concat([prefixOf(list, byRank), rankBytes(toRank), Buffer.alloc(34, 0xff)])
  return { start: prefixOf(list, byRank), end }
}

/** The rank in a key that `rankKey` made. */
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

/** A number as bytes that are ordered as the numbers are: the sign turned, and of negative ones every bit. */
function rankBytes(rank: number): Buffer {
  const bytes = Buffer.alloc(8)
  // Zero has two signs, of which one is enough.
  bytes.writeDoubleBE(rank === 0 ? 0 : rank)
  if ((bytes[0] as number) < 0x80) bytes[0] = (bytes[0] as number) + 0x80
  else for (let i = 0; i < 8; i++) bytes[i] = 0xff - (bytes[i] as number)
  return bytes
}
