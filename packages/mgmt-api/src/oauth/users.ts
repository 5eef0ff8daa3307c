/**
 * Users of the password grant: keys with a password, of the API's organisation. The session of a user
 * stores the token of each client. Source: docs/reference/oauth-endpoints.md#grants.
 */
import type { ApiDefinition } from '@turnpike/core/definition'
import {
  type Clock,
  type Passwords,
  PasswordsBusyError,
  type Session,
  type SessionStore,
  sessionShape,
} from '@turnpike/core/ports'
import {
  expiresAtOf,
  isExpired,
  type KeyLock,
  makePasswordCheck,
  type SessionCache,
  toWireSession,
} from '@turnpike/core/session'

export interface Users {
  /**
   * The user with this password; `undefined` if the user does not exist or has expired, or the password is wrong. Rejects
   * with `PasswordsBusyError` if too many password checks wait. `address`: of the client, whose guesses are counted.
   */
  find(username: string, password: string, address: string): Promise<User | undefined>
}

export interface User {
  /** The user's session as JSON, without the password and `oauth_keys`: the session of the user's tokens. */
  readonly userData: string
  /** Stores the client's token and returns the previous one. */
  remember(clientId: string, accessToken: string): Promise<string | undefined>
}

export interface UsersServices {
  readonly sessions: SessionStore
  readonly sessionCache: Pick<SessionCache, 'find' | 'forget'>
  readonly keyLock: KeyLock
  readonly passwords: Passwords
  readonly clock: Pick<Clock, 'now'>
  /** Notifies other nodes that the session with this stored name was written. */
  notify(storedName: string): void
}

export function makeUsers({ orgId, document }: ApiDefinition, services: UsersServices): Users {
  const { sessions, sessionCache, keyLock, clock } = services
  const checkPassword = makePasswordCheck(services, document.basicAuth)

  const remember = (storedName: string, clientId: string, accessToken: string) =>
    keyLock.hold(storedName, async () => {
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
      services.notify(storedName)
      return earlier
    })

  return {
    async find(username, password, address) {
      const entry = await sessionCache.find(username, orgId)
      const isUsable =
        entry !== undefined && entry.policyProblem === undefined && !isExpired(expiresAtOf(entry.session), clock.now())
      const session = isUsable ? entry.session : undefined
      const verdict = await checkPassword({ user: `${orgId} ${username}`, address }, session, password)
      if (verdict === 'busy') throw new PasswordsBusyError()
      if (verdict === 'wrong' || entry === undefined || session === undefined) return undefined
      return {
        userData: JSON.stringify(toWireSession(withoutSecrets(session))),
        remember: (clientId, accessToken) => remember(entry.storedName, clientId, accessToken),
      }
    },
  }
}

function withoutSecrets(session: Session): Session {
  const { basicAuthData, oauthKeys } = sessionShape.zero()
  return { ...session, basicAuthData, oauthKeys }
}
