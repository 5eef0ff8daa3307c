/**
 * Access and refresh tokens of one API: issued, listed, revoked. An access token is a key with a session; the store also
 * has a record of its grant and an entry in the client's list.
 * Source: docs/reference/oauth-endpoints.md#token-endpoint, docs/reference/oauth-endpoints.md#token-session; docs/reference/redis-records.md#oauth-keys.
 */
import type { ApiDefinition } from '@turnpike/core/definition'
import { formatRfc3339, unixSeconds } from '@turnpike/core/lib'
import type { Clock, GatewaySettings, Ids, ListedMember, Log, Session, Signals, Store } from '@turnpike/core/ports'
import { type KeyLock, makeKeyName, type SessionCache, storageLifetimeMs, storedNameOf } from '@turnpike/core/session'
import { oauthNames } from './oauth-names.ts'
import { type AccessRecord, accessShape, type OAuthClient, readRecord, writeRecord } from './oauth-records.ts'
import type { OAuthSettings } from './oauth-settings.ts'
import { longText } from './random-texts.ts'

/** The grant of a token. */
export interface TokenGrant {
  readonly client: OAuthClient
  readonly scope: string
  readonly redirectUri: string
  readonly userData: string
  readonly withRefresh: boolean
}

/** The tokens that the client receives. Secret: never logged. */
export interface IssuedTokens {
  readonly kind: 'issued'
  readonly accessToken: string
  /** Empty if there is no refresh token. */
  readonly refreshToken: string
  readonly expiresIn: number
  readonly scope: string
}

export interface TokenStore {
  issue(session: Session, grant: TokenGrant): Promise<IssuedTokens>
  /** The grant of a refresh token; `undefined` if it is unknown, used or expired. */
  findRefresh(token: string): Promise<AccessRecord | undefined>
  /** Revokes a refresh token. Returns true to exactly one of several concurrent calls. */
  consumeRefreshToken(token: string): Promise<boolean>
  /** The client of a valid access token; `undefined` if it is no token of this API. */
  clientOf(token: string): Promise<string | undefined>
  /** Revokes an access token; unknown ones are ignored. */
  revokeAccess(token: string): Promise<void>
  /** Revokes every valid access token of a client. */
  revokeAll(clientId: string): Promise<void>
  /** Stored names of the valid access tokens of a client, by expiry. */
  list(clientId: string): Promise<ListedMember[]>
  /** Removes tokens that expired some time ago from the client's list, with their sessions. */
  purge(clientId: string): Promise<void>
}

export interface TokenStoreServices {
  readonly store: Pick<Store, 'records' | 'sessions'>
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Ids
  readonly log: Log
  readonly settings: Pick<GatewaySettings, 'keys' | 'lifetimes'>
  readonly oauth: OAuthSettings
  readonly sessionCache: Pick<SessionCache, 'forget'>
  readonly keyLock: KeyLock
  readonly signals: Pick<Signals, 'publish'>
}

export function makeTokenStore(api: ApiDefinition, services: TokenStoreServices): TokenStore {
  const { clock, oauth, settings } = services
  const { records } = services.store
  const names = oauthNames(api.id)
  const sessions = makeTokenSessions(api, services)
  const storedName = (token: string) => storedNameOf(token, settings.keys.hashKeys)
  const validTokens = (clientId: string) => records.members(names.clientTokens(clientId), unixSeconds(clock.now()))
  const findByName = async (name: string) => readRecord(accessShape, await records.get(names.access(name)))

  /** The record can expire before the session, which is valid up to the end of its last second. */
  const clientOf = async (name: string): Promise<string | undefined> => {
    const record = await findByName(name)
    if (record !== undefined) return record.client.id
    const clientId = (await services.store.sessions.get(name))?.session.oauthClientId ?? ''
    const isListed = async () => (await validTokens(clientId)).some(({ member }) => member === name)
    return clientId !== '' && (await isListed()) ? clientId : undefined
  }

  const end = async (name: string, clientId: string): Promise<void> => {
    // The session first, because it grants access to the API.
    await sessions.remove(name)
    await records.remove(names.access(name))
    await records.removeMember(names.clientTokens(clientId), name)
  }

  const purge = async (clientId: string): Promise<void> => {
    if (oauth.retainSeconds <= 0) return
    const list = names.clientTokens(clientId)
    const before = unixSeconds(clock.now()) - oauth.retainSeconds
    for (const { member, rank } of await records.members(list)) {
      if (rank > before) break
      await sessions.removeExpired(member, before)
    }
    await records.pruneMembers(list, before)
  }

  return {
    async issue(session, grant) {
      const record = makeRecord(session, grant, services)
      const { accessToken, refreshToken, expiresIn, scope } = record
      const name = storedName(accessToken)
      const written = writeRecord(accessShape, record)
      await records.put(names.access(name), written, oauth.tokenSeconds * 1000)
      await records.addMember(names.clientTokens(grant.client.id), name, session.expires)
      await sessions.put(name, session)
      if (refreshToken !== '') await records.put(names.refresh(refreshToken), written, oauth.refreshSeconds * 1000)
      return { kind: 'issued', accessToken, refreshToken, expiresIn, scope }
    },
    findRefresh: async (token) => readRecord(accessShape, await records.get(names.refresh(token))),
    consumeRefreshToken: async (token) => records.remove(names.refresh(token)),
    clientOf: (token) => clientOf(storedName(token)),
    async revokeAccess(token) {
      const clientId = await clientOf(storedName(token))
      // Without a client it is not a token of this API: nobody may revoke an ordinary key by its name.
      if (clientId !== undefined) await end(storedName(token), clientId)
    },
    async revokeAll(clientId) {
      for (const { member } of await validTokens(clientId)) await end(member, clientId)
    },
    async list(clientId) {
      await purge(clientId)
      return validTokens(clientId)
    },
    purge,
  }
}

function makeRecord(
  { orgId }: Session,
  { client, scope, redirectUri, userData, withRefresh }: TokenGrant,
  { clock, ids, settings, oauth }: TokenStoreServices,
): AccessRecord {
  return {
    ...{ client, scope, redirectUri, userData },
    accessToken: makeKeyName(orgId, ids.uuid(), settings.keys.hashFunction),
    refreshToken: withRefresh ? longText(ids) : '',
    expiresIn: oauth.tokenSeconds,
    createdAt: formatRfc3339(clock.now()),
  }
}

/** The sessions of access tokens. Other nodes are notified of each change. */
function makeTokenSessions(api: ApiDefinition, services: TokenStoreServices) {
  const { store, clock, log, settings, sessionCache, keyLock, signals } = services
  const announceChange = (name: string) => {
    sessionCache.forget(name)
    signals.publish({ kind: 'key-changed', storedName: name }).catch((cause: unknown) => {
      log.warn('other nodes could not be notified of a changed token', { api: api.id, reason: String(cause) })
    })
  }
  const remove = (name: string) =>
    keyLock.hold(name, async () => {
      await store.sessions.remove(name)
      announceChange(name)
    })
  return {
    remove,
    async put(name: string, session: Session): Promise<void> {
      const lifetimeMs = storageLifetimeMs(session, [api.document], settings.lifetimes, clock.now())
      await store.sessions.put(name, session, lifetimeMs)
      announceChange(name)
    },
    /** `before` is in Unix seconds. The session may have got a longer lifetime as a key. */
    async removeExpired(name: string, before: number): Promise<void> {
      const session = (await store.sessions.get(name))?.session
      if (session !== undefined && session.expires > 0 && session.expires <= before) await remove(name)
    },
  }
}
