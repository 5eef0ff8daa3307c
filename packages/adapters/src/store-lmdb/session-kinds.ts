/**
 * Kinds of keys: what sessions have in common is decoded once and then found by its bytes. Keys that are asked for one
 * after the other are nearly always of one kind, so its bytes are compared before anything is looked up.
 */
import type { Session } from '@turnpike/core'
import { unpackCommon } from './session-record.ts'

/** The common fields of sessions. */
export interface SessionKind {
  readonly session: Session
  /** Their bytes. */
  readonly bytes: Buffer
}

/** Kinds that are known at a time, and bytes of them; when there are more, all are forgotten. */
const mostKinds = 10_000
const mostBytes = 8 * 2 ** 20

export interface SessionKinds {
  /** The kind whose bytes lie in this part of a record; the record may change afterwards. */
  of(record: Buffer, start: number, end: number): SessionKind
}

export function makeSessionKinds(): SessionKinds {
  const kinds = new Map<string, SessionKind>()
  let bytes = 0
  let last: SessionKind | undefined

  const find = (record: Buffer, start: number, end: number): SessionKind => {
    const text = record.toString('latin1', start, end)
    const known = kinds.get(text)
    if (known !== undefined) return known
    if (kinds.size >= mostKinds || bytes + text.length > mostBytes) {
      kinds.clear()
      bytes = 0
    }
    const own = Buffer.from(record.subarray(start, end))
    const made = { session: unpackCommon(own), bytes: own }
    kinds.set(text, made)
    bytes += text.length
    return made
  }

  return {
    of(record, start, end) {
      if (last === undefined || record.compare(last.bytes, 0, last.bytes.length, start, end) !== 0) {
        last = find(record, start, end)
      }
      return last
    },
  }
}
