/**
 * A session in outline: what the hot path needs of it. Keys that were made alike differ in a few fields only, so
 * everything that follows from the others is worked out once for all of them; a million keys then cost a million
 * small records, not a million sessions with their policies applied.
 */
import type { Millis } from '../ports/clock.ts'
import { type Session, sessionShape } from '../ports/session.ts'
import type { StoredSession } from '../ports/store.ts'

export interface SessionOutline {
  /**
   * The session with its own fields at zero: the same object for sessions that are equal in all others, as far as the
   * store can tell. Never changed by anybody. `undefined`: the store does not tell the fields apart.
   */
  readonly common: Session | undefined
  /** The own fields that decide on requests. */
  readonly expires: number
  readonly quotaRenews: number
  readonly lastUpdated: string
  /** As in `StoredSession`. */
  readonly goneAt: Millis | undefined
  /**
   * When whoever keeps keys ready was asked for it last, by his own count of 32 bits, 0: never. For him to write; absent
   * where the store has no room for it beside the session.
   */
  askedAt?: number
  /** Bytes that holding the outline takes beside `common`, about. */
  readonly bytes: number
  /**
   * The whole session as it is stored by now; of one that was removed since, what the outline knows. Whoever asks for it
   * owns it.
   */
  whole(): Session
}

/** About what a session takes in memory that is held as a whole. */
const wholeBytes = 3000

/** The outline of a session from a store that has none. */
export function outlineOf({ session, goneAt }: StoredSession): SessionOutline {
  const { expires, quotaRenews, lastUpdated } = session
  return { common: undefined, expires, quotaRenews, lastUpdated, goneAt, bytes: wholeBytes, whole: () => session }
}

/**
 * Fields in which keys differ that were made alike. None of them has a say in what policies give or an API opens,
 * except `lastUpdated` and `quotaRenews`, which are part of the outline, and what `splitSession` sees to.
 */
const ownFields = [
  'lastCheck',
  'allowance',
  'dateCreated',
  'expires',
  'quotaRenews',
  'quotaRemaining',
  'oauthClientId',
  'oauthKeys',
  'certificate',
  'mtlsStaticCertificateBindings',
  'basicAuthData',
  'jwtData',
  'hmacString',
  'rsaCertificateId',
  'dataExpires',
  'metaData',
  'tags',
  'alias',
  'lastUpdated',
  'idExtractorDeadline',
] as const satisfies readonly (keyof Session)[]

/** The own fields of a session, all others at zero, and the other way round. Meta data that steer are no own field. */
export function splitSession(session: Session): { readonly own: Session; readonly common: Session } {
  const own = sessionShape.zero()
  const common = { ...session }
  for (const field of ownFields) {
    if (field === 'metaData' && steers(session.metaData)) continue
    swap(own, common, field)
  }
  return { own, common }
}

/** Whether meta data hold policies, or a pattern that names counters. */
function steers(metaData: Session['metaData']): boolean {
  return metaData !== null && (metaData.policies !== undefined || metaData.rate_limit_pattern !== undefined)
}

function swap<F extends keyof Session>(a: Session, b: Session, field: F): void {
  const value = a[field]
  a[field] = b[field]
  b[field] = value
}
