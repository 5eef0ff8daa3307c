/**
 * Access and refresh tokens of one API: issued, listed, revoked. An access token is a key with a session; the store also
 * has a record of its grant and an entry in the client's list.
 * Source: docs/reference/oauth-endpoints.md#token-endpoint, docs/reference/oauth-endpoints.md#token-session; docs/reference/redis-records.md#oauth-keys.
 */
import {
  type ApiDefinition,
  type Clock,
  formatRfc3339,
  type GatewaySettings,
  type Ids,
  type KeyLock,
  type ListedMember,
  type Log,
  makeKeyName,
  type Session,
  type SessionCache,
  type Signals,
  type Store,
  storageLifetimeMs,
  storedNameOf,
  unixSeconds,
} from '@turnpike/core'
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
  findAccess(token: string): Promise<AccessRecord | undefined>
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
  const { store, clock, ids, log, settings, oauth, keyLock } = services
  const { keys } = settings
  const names = oauthNames(api.id)
  const storedName = (token: string) => storedNameOf(token, keys.hashKeys)
  const nowSeconds = () => unixSeconds(clock.now())

  const announceChange = (name: string) => {
    services.sessionCache.forget(name)
    services.signals.publish({ kind: 'key-changed', storedName: name }).catch((cause: unknown) => {
      log.warn('other nodes could not be notified of a changed token', { api: api.id, reason: String(cause) })
    })
  }

  const removeSession = (name: string) =>
    keyLock.hold(name, async () => {
      await store.sessions.remove(name)
      announceChange(name)
    })

  const findByName = async (name: string) => readRecord(accessShape, await store.records.get(names.access(name)))

  const end = async (name: string, clientId: string | undefined): Promise<void> => {
    // The session first, because it grants access to the API.
    await removeSession(name)
    await store.records.remove(names.access(name))
    if (clientId !== undefined) await store.records.removeMember(names.clientTokens(clientId), name)
  }

  const removeExpired = async (clientId: string): Promise<void> => {
    const list = names.clientTokens(clientId)
    const before = nowSeconds() - oauth.retainSeconds
    for (const { member, rank } of await store.records.members(list)) {
      if (rank > before) break
      const session = (await store.sessions.get(member))?.session
      // The session may have got a longer lifetime as a key.
      if (session !== undefined && session.expires > 0 && session.expires <= before) {
        await removeSession(member)
      }
    }
    await store.records.pruneMembers(list, before)
  }
  const purge = (clientId: string) => (oauth.retainSeconds > 0 ? removeExpired(clientId) : Promise.resolve())

  return {
    async issue(session, grant) {
      const now = clock.now()
      const accessToken = makeKeyName(session.orgId, ids.uuid(), keys.hashFunction)
      const name = storedName(accessToken)
      const record: AccessRecord = {
        client: grant.client,
        accessToken,
        refreshToken: grant.withRefresh ? longText(ids) : '',
        expiresIn: oauth.tokenSeconds,
        scope: grant.scope,
        redirectUri: grant.redirectUri,
        createdAt: formatRfc3339(now),
        userData: grant.userData,
      }
      const written = writeRecord(accessShape, record)
      await store.records.put(names.access(name), written, oauth.tokenSeconds * 1000)
      await store.records.addMember(names.clientTokens(grant.client.id), name, session.expires)
      const lifetimeMs = storageLifetimeMs(session, [api.document], settings.lifetimes, now)
      await store.sessions.put(name, session, lifetimeMs)
      announceChange(name)
      const { refreshToken, expiresIn, scope } = record
      if (refreshToken !== '') {
        await store.records.put(names.refresh(refreshToken), written, oauth.refreshSeconds * 1000)
      }
      return { kind: 'issued', accessToken, refreshToken, expiresIn, scope }
    },

    findRefresh: async (token) => readRecord(accessShape, await store.records.get(names.refresh(token))),
    consumeRefreshToken: async (token) => store.records.remove(names.refresh(token)),
    findAccess: (token) => findByName(storedName(token)),

    async revokeAccess(token) {
      const record = await findByName(storedName(token))
      // Without a record it is not a token of this API: nobody may revoke an ordinary key by its name.
      if (record !== undefined) await end(storedName(token), record.client.id)
    },

    async revokeAll(clientId) {
      for (const { member } of await store.records.members(names.clientTokens(clientId), nowSeconds())) {
        await end(member, clientId)
      }
    },

    async list(clientId) {
      await purge(clientId)
      return store.records.members(names.clientTokens(clientId), nowSeconds())
    },

    purge,
  }
}
