import {
  type Clock,
  expiresAtOf,
  guessLimitOf,
  hashOfNobody,
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
 * Users of the password grant: keys with a password, of the API's organisation. The session of a user
 * stores the token of each client. Source: docs/reference/oauth-endpoints.md#token-endpoint.
 */

export interface Users {
  /** The user with this password; `undefined` if the user is missing or expired. */
  find(username: string, password: string): Promise<User | undefined>
}

export interface User {
  /** JSON of the session for its tokens: its own, without the password. */
  readonly userData: string
  /** Stores the client's token and returns the previous one. */
  remember(clientId: string, accessToken: string): Promise<string | undefined>
}

export interface UsersParts {
  readonly sessions: SessionStore
  readonly sessionCache: Pick<SessionCache, 'find' | 'forget'>
  readonly passwords: Passwords
  readonly clock: Pick<Clock, 'now'>
  /** Notifies other nodes that the session with this stored name was written. */
  tell(storedName: string): void
}

export function makeUsers(orgId: string, parts: UsersParts): Users {
  const { sessions, sessionCache, passwords, clock } = parts
  const lock = makeKeyLock()
  const guesses = guessLimitOf(passwords, clock)

  const remember = (storedName: string, clientId: string, accessToken: string) =>
    lock.hold(storedName, async () => {
      const stored = await sessions.get(storedName)
      // Removed concurrently: it must not be created again.
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
      const name = `${orgId} ${username}`
      if (guesses.isBlocked(name)) return undefined
      const entry = await sessionCache.find(username, orgId)
      const isUsable =
        entry !== undefined && entry.policyProblem === undefined && !isExpired(expiresAtOf(entry.session), clock.now())
      const isRight = await isPassword(isUsable ? entry.session : undefined, password, passwords)
      guesses.settle(name, isRight)
      if (!isRight || entry === undefined) return undefined
      const { session } = entry
      return {
        userData: JSON.stringify(toWireSession(withoutSecrets(session))),
        remember: (clientId, accessToken) => remember(entry.storedName, clientId, accessToken),
      }
    },
  }
}

/** Takes the same time for a user who does not exist. */
async function isPassword(session: Session | undefined, password: string, passwords: Passwords): Promise<boolean> {
  const { password: hash, hashType } = session?.basicAuthData ?? { password: '', hashType: '' }
  if (hash === '') return passwords.matches(password, hashOfNobody).then(() => false)
  if (hashType === '' || hashType === 'bcrypt') return passwords.matches(password, hash)
  return isHashFunction(hashType) && sameText(hashText(password, hashType), hash)
}

function withoutSecrets(session: Session): Session {
  const { basicAuthData, oauthKeys } = sessionShape.zero()
  return { ...session, basicAuthData, oauthKeys }
}
