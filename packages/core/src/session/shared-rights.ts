/**
 * Sessions made from the same policy differ only in a few fields. Stores separate these own fields from the rest, the
 * rights, and equal rights are one shared object. Policies and access are therefore compiled once per distinct rights.
 */
import { LRUCache } from 'lru-cache'
import { deepFreeze } from '../lib/shape/deep-freeze.ts'
import type { Session } from '../ports/session.ts'

/**
 * Fields that differ between keys. Policies and API access do not depend on them, with two exceptions: `lastUpdated`,
 * which is part of the summary, and some metadata (see `splitSession`).
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
 * Returns the own fields of a session, and its rights: the session with the own fields at their zero values. Metadata
 * with policies or with the counter pattern stay in the rights.
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

/** Maximum total length of the texts that identify rights, in characters. */
const maxTextLength = 8 * 2 ** 20

/** An LRU cache of rights by their text in a store. */
export class SharedRights {
  private readonly byText = new LRUCache<string, Session>({
    maxSize: maxTextLength,
    sizeCalculation: (_, text) => text.length + 1,
  })

  /** Finds the frozen rights of this text, or makes and freezes them. */
  of(text: string, make: () => Session): Session {
    const known = this.byText.get(text)
    if (known !== undefined) return known
    const made = deepFreeze(make())
    this.byText.set(text, made)
    return made
  }
}
