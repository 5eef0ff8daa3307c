/**
 * Sessions of keys that were made alike differ in a few fields only. Stores keep those apart from the rest, the rights,
 * of which equal ones are one object: what follows from the rights is then worked out once for all keys that have them.
 */
import { LRUCache } from 'lru-cache'
import { deepFreeze } from '../lib/shape/deep-freeze.ts'
import type { Session } from '../ports/session.ts'

/**
 * Fields that differ from key to key. Neither what policies give nor what an API opens depends on them, except on
 * `lastUpdated` and `quotaRenews`, which are part of the summary, and on some meta data; see `splitSession`.
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

export type OwnFields = Partial<Pick<Session, (typeof ownFields)[number]>>

/**
 * The own fields of a session, and the session with these at their zero values. Meta data that hold policies or the
 * pattern of counters stay with the rights.
 */
export function splitSession(session: Session, zero: Session): { readonly own: OwnFields; readonly rights: Session } {
  const own: Record<string, unknown> = {}
  const rights: Record<string, unknown> = { ...session }
  for (const field of ownFields) {
    if (field === 'metaData' && decidesRights(session.metaData)) continue
    own[field] = session[field]
    rights[field] = zero[field]
  }
  return { own: own as OwnFields, rights: rights as Session }
}

function decidesRights(metaData: Session['metaData']): boolean {
  return metaData !== null && (metaData.policies !== undefined || metaData.rate_limit_pattern !== undefined)
}

/** Characters of the texts by which rights are known, in all. */
const maxTextLength = 8 * 2 ** 20

/** Rights in use, by their text in a store; the least recently used are forgotten. */
export class SharedRights {
  private readonly byText = new LRUCache<string, Session>({
    maxSize: maxTextLength,
    sizeCalculation: (_, text) => text.length + 1,
  })

  /** The frozen rights with this text, made where they are not known. */
  of(text: string, make: () => Session): Session {
    const known = this.byText.get(text)
    if (known !== undefined) return known
    const made = deepFreeze(make())
    this.byText.set(text, made)
    return made
  }
}
