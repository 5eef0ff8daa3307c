/** Sessions in outline, from the bytes of their records: a key that is read costs one text and one object. */
import type { Millis, Session, SessionOutline } from '@turnpike/core'
import type { SessionKind, SessionKinds } from './session-kinds.ts'
import { headBytes, joinSession, readHead } from './session-record.ts'

/**
 * The outline of the first `length` bytes of a record; they may change afterwards. `undefined`: the session is gone.
 */
export function readOutline(
  kinds: SessionKinds,
  record: Buffer,
  length: number,
  now: Millis,
): SessionOutline | undefined {
  const { goneAt, expires, quotaRenews, updatedLength, ownLength } = readHead(record)
  if (goneAt !== undefined && now >= goneAt) return undefined
  const ownAt = headBytes + (updatedLength ?? 0)
  const commonAt = ownAt + ownLength
  const text = record.toString('latin1', headBytes, commonAt)
  return new Outline(
    kinds.of(record, commonAt, length),
    text.slice(ownAt - headBytes),
    updatedLength === undefined ? undefined : text.slice(0, updatedLength),
    expires,
    quotaRenews,
    goneAt,
  )
}

// A class, since one is made for every key that is read.
class Outline implements SessionOutline {
  readonly expires: number
  readonly quotaRenews: number
  readonly lastUpdated: string
  readonly goneAt: Millis | undefined
  private readonly kind: SessionKind
  private readonly own: string

  constructor(
    kind: SessionKind,
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

  get bytes(): number {
    return this.own.length
  }

  whole(): Session {
    return joinSession(Buffer.from(this.own, 'latin1'), this.kind.bytes)
  }
}
