/**
 * Sessions of signed-on users, in the store under the digest of their id: so a reader of the store cannot use them.
 * The store removes them when they expire. Source: docs/reference/dashboard-sso.md#login.
 */
import type { Ids, Store } from '@turnpike/core/ports'
import type { Permissions } from '../dashboard-options.ts'
import { type Section, sessionIdsOf } from '../http/cookie.ts'
import { sha256Base64Url, sha256Hex } from '../http/digests.ts'

/** A signed-on user, in the words of the wire. */
export interface UserSession {
  readonly UserID: string
  readonly EmailAddress: string
  readonly DisplayName: string
  readonly OrgID: string
  readonly Section: Section
  readonly GroupsIDs: readonly string[]
  readonly Permissions: Permissions
  /** There is no record of the user outside of the session. */
  readonly Temporary: boolean
}

export interface FoundSession {
  /** Fit to be kept and compared, of no use to a thief. */
  readonly digest: string
  readonly session: UserSession
}

export interface UserSessions {
  /** Stores a session under a new id and returns the id. Rejects when the store is unavailable. */
  open(session: UserSession, lifetimeSeconds: number): Promise<string>
  /** The first valid session of the request's cookies. `undefined`: none, expired, or the store is unavailable. */
  find(request: Request, section?: Section): Promise<FoundSession | undefined>
  /** Whether a session that was found is still there. */
  isOpen(digest: string): Promise<boolean>
  /** Ends the session. Returns whether it existed. */
  end(digest: string): Promise<boolean>
}

export function makeUserSessions(records: Store['records'], ids: Ids): UserSessions {
  const read = async (digest: string): Promise<UserSession | undefined> => {
    try {
      const text = await records.get(nameOf(digest))
      return text === undefined ? undefined : (JSON.parse(text) as UserSession)
    } catch {
      return undefined
    }
  }
  return {
    async open(session, lifetimeSeconds) {
      // Three UUIDs hold 366 random bits; 256 of them are kept.
      const id = sha256Base64Url(ids.uuid() + ids.uuid() + ids.uuid())
      await records.put(nameOf(sha256Hex(id)), JSON.stringify(session), lifetimeSeconds * 1000)
      return id
    },
    async find(request, section) {
      for (const named of sessionIdsOf(request)) {
        if (section !== undefined && named.section !== section) continue
        const digest = sha256Hex(named.id)
        const session = await read(digest)
        if (session?.Section === named.section) return { digest, session }
      }
      return undefined
    },
    isOpen: async (digest) => (await read(digest)) !== undefined,
    async end(digest) {
      try {
        return await records.remove(nameOf(digest))
      } catch {
        return false
      }
    },
  }
}

const nameOf = (digest: string) => `dashboard-session.${digest}`
