/**
 * Sessions in outline, from the bytes of their records. What sessions have in common is decoded once and then found
 * by its bytes; so a key that is read costs one text, one look-up and one object.
 */
import type { Millis, Session, SessionOutline } from '@turnpike/core'
import { headBytes, joinSession, readHead, unpackCommon } from './session-record.ts'

/** The common fields of sessions, and their bytes. */
interface Common {
  readonly session: Session
  readonly bytes: string
}

/** Kinds of keys that are known at a time, and letters of their bytes; when there are more, all are forgotten. */
const mostKinds = 10_000
const mostLetters = 8 * 2 ** 20

export interface SessionOutlines {
  /**
   * The outline of the first `length` bytes; they may change afterwards. `undefined`: the session is gone.
   */
  read(record: Buffer, length: number, now: Millis): SessionOutline | undefined
}

export function makeSessionOutlines(): SessionOutlines {
  const kinds = new Map<string, Common>()
  let letters = 0

  const commonOf = (bytes: string): Common => {
    const known = kinds.get(bytes)
    if (known !== undefined) return known
    if (kinds.size >= mostKinds || letters + bytes.length > mostLetters) {
      kinds.clear()
      letters = 0
    }
    const made = { session: unpackCommon(Buffer.from(bytes, 'latin1')), bytes }
    kinds.set(bytes, made)
    letters += bytes.length
    return made
  }

  return {
    read(record, length, now) {
      const { goneAt, expires, quotaRenews, updatedLength, ownLength } = readHead(record)
      if (goneAt !== undefined && now >= goneAt) return undefined
      const text = record.toString('latin1', headBytes, length)
      const ownAt = updatedLength ?? 0
      const commonAt = ownAt + ownLength
      const updated = updatedLength === undefined ? undefined : text.slice(0, updatedLength)
      return new Outline(
        commonOf(text.slice(commonAt)),
        text.slice(ownAt, commonAt),
        updated,
        expires,
        quotaRenews,
        goneAt,
      )
    },
  }
}

// A class, since one is made for every key that is read.
class Outline implements SessionOutline {
  readonly expires: number
  readonly quotaRenews: number
  readonly lastUpdated: string
  readonly goneAt: Millis | undefined
  private readonly kind: Common
  private readonly own: string

  constructor(
    kind: Common,
    own: string,
    lastUpdated: string | undefined,
    expires: number,
    quotaRenews: number,
    goneAt: Millis | undefined,
  ) {
    this.kind = kind
    this.own = own
    this.expires = expires
    this.quotaRenews = quotaRenews
    this.goneAt = goneAt
    this.lastUpdated = lastUpdated ?? this.whole().lastUpdated
  }

  get common(): Session {
    return this.kind.session
  }

  /** The text of the own fields holds that of the whole record. */
  get bytes(): number {
    return this.own.length + this.kind.bytes.length
  }

  whole(): Session {
    return joinSession(Buffer.from(this.own, 'latin1'), Buffer.from(this.kind.bytes, 'latin1'))
  }
}
