import {
  type Clock,
  expiresAtOf,
  hashText,
  isExpired,
  isHashFunction,
  makeKeyLock,
  type Passwords,
  type Session,
  type SessionCache,
  type SessionStore,
  sameText,
  sessionShape,
  toWireSession,
} from '@turnpike/core'
/**
 * Users of the password grant: keys with a password, of the API's organisation. A user remembers the token that each
 * client has for it. Source: docs/reference/oauth-endpoints.md#token-endpoint.
 */

export interface Users {
  /** The user with this password; `undefined`: there is none, or it is no more. */
  find(username: string, password: string): Promise<User | undefined>
}

export interface User {
  /** JSON of the session that its tokens get: its own, without the password. */
  readonly userData: string
  /** Remembers the client's token; tells the one before. */
  remember(clientId: string, accessToken: string): Promise<string | undefined>
}

export interface UsersParts {
  readonly sessions: SessionStore
  readonly sessionCache: Pick<SessionCache, 'find' | 'forget'>
  readonly passwords: Passwords
  readonly clock: Pick<Clock, 'now'>
  /** Tells other nodes that the session stored under this name was written. */
  tell(storedName: string): void
}

export function makeUsers(orgId: string, parts: UsersParts): Users {
  const { sessions, sessionCache, passwords, clock } = parts
  const lock = makeKeyLock()

  const remember = (storedName: string, clientId: string, accessToken: string) =>
    lock.hold(storedName, async () => {
      const stored = await sessions.get(storedName)
      // Removed meanwhile: it must not come back.
      if (stored === undefined) return undefined
      const before = stored.session.oauthKeys ?? {}
      const oauthKeys: Record<string, string> = Object.create(null)
      for (const name of Object.keys(before)) oauthKeys[name] = before[name] as string
      const earlier = oauthKeys[clientId]
      oauthKeys[clientId] = accessToken
      const restMs = stored.storedUntil === undefined ? undefined : Math.max(1, stored.storedUntil - clock.now())
      await sessions.put(storedName, { ...stored.session, oauthKeys }, restMs)
      sessionCache.forget(storedName)
      parts.tell(storedName)
      return earlier
    })

  return {
    async find(username, password) {
      const entry = await sessionCache.find(username, orgId)
      if (entry === undefined || entry.policyProblem !== undefined) return undefined
      const { session } = entry
      if (isExpired(expiresAtOf(session), clock.now())) return undefined
      if (!(await isPassword(session, password, passwords))) return undefined
      return {
        userData: JSON.stringify(toWireSession(withoutSecrets(session))),
        remember: (clientId, accessToken) => remember(entry.storedName, clientId, accessToken),
      }
    },
  }
}

async function isPassword(session: Session, password: string, passwords: Passwords): Promise<boolean> {
  const { password: hash, hashType } = session.basicAuthData
  if (hash === '') return false
  if (hashType === '' || hashType === 'bcrypt') return passwords.matches(password, hash)
  return isHashFunction(hashType) && sameText(hashText(password, hashType), hash)
}

function withoutSecrets(session: Session): Session {
  const { basicAuthData, oauthKeys } = sessionShape.zero()
  return { ...session, basicAuthData, oauthKeys }
}
