/**
 * Sessions of tokens that are verified by a key in the definition. Each identity has one session, which is created from
 * its policies at the first request and stored like any key, so that all tokens of the identity share rates and quotas.
 * Source: docs/reference/jwt.md#json-web-tokens.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { Maybe } from '../../lib/maybe.ts'
import { formatRfc3339, unixSeconds } from '../../lib/text/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { type Session, sessionShape } from '../../ports/session.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { Signals } from '../../ports/signals.ts'
import type { Store } from '../../ports/store.ts'
import type { CachedKey } from '../../session/cached-key.ts'
import { newKeyExpires } from '../../session/expiry.ts'
import { storageLifetimeMs } from '../../session/lifetime.ts'
import { identityKeyName } from '../../session/names/identity-key-name.ts'
import { storedNameOf } from '../../session/names/key-name.ts'
import { applyPolicies } from '../../session/policies/apply-policies.ts'
import type { PolicyBook } from '../../session/policies/policy-book.ts'
import type { KeyLock } from '../../session/registry/key-lock.ts'
import type { SessionCache } from '../../session/session-cache.ts'

export interface TokenSessionServices {
  readonly store: Pick<Store, 'sessions'>
  readonly signals?: Pick<Signals, 'publish'>
  readonly sessionCache: SessionCache
  readonly keyLock: KeyLock
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly settings: GatewaySettings
  readonly policies: () => PolicyBook
}

/** The rights that a token gives to its session. */
export interface TokenRights {
  readonly identity: string
  readonly policyIds: readonly string[]
  /** Unix seconds; `undefined`: the token does not expire. */
  readonly expires: number | undefined
  readonly oauthClientId: string
}

/** Full name of the key of an identity. */
export function tokenKeyName(identity: string, orgId: string, { keys }: GatewaySettings): string {
  return identityKeyName(identity, orgId, keys.hashFunction)
}

export interface TokenSessions {
  /** The stored session of the identity; `undefined` if it has none yet. */
  find(keyName: string): Maybe<CachedKey | undefined>
  /** Updates the session to the token's rights, if they differ. `undefined` if its policies cannot be applied. */
  settle(keyName: string, entry: CachedKey | undefined, rights: TokenRights): Maybe<CachedKey | undefined>
}

export function makeTokenSessions(api: ApiDefinition, services: TokenSessionServices): TokenSessions {
  const { store, sessionCache, keyLock, clock, settings, log } = services
  const { orgId } = api

  const write = async (storedName: string, session: Session, isNew: boolean): Promise<void> => {
    const lifetimeMs = storageLifetimeMs(session, [api.document], settings.lifetimes, clock.now())
    await store.sessions.put(storedName, session, lifetimeMs)
    sessionCache.forget(storedName)
    if (!isNew) publishChange(storedName)
  }

  const publishChange = (storedName: string) => {
    services.signals?.publish({ kind: 'key-changed', storedName }).catch((cause: unknown) => {
      log.warn('a changed session could not be published to other nodes', { reason: String(cause) })
    })
  }

  return {
    find: (keyName) => sessionCache.find(keyName, orgId),
    settle(keyName, entry, rights) {
      if (entry !== undefined && hasRights(entry.session, rights)) return entry
      const storedName = storedNameOf(keyName, settings.keys.hashKeys)
      return keyLock.hold(storedName, async () => {
        // Found again, because the session may have been changed or removed while this call waited for the lock.
        const latest = await sessionCache.find(keyName, orgId)
        if (latest !== undefined && hasRights(latest.session, rights)) return latest
        const session =
          latest === undefined ? newSession(api, rights, services) : changedSession(latest.session, rights)
        session.lastUpdated = String(unixSeconds(clock.now()))
        const applied = applyPolicies(session, services.policies(), { orgId })
        if (applied.problem !== undefined) {
          log.warn('the policies of a token cannot be applied', { api: api.id, reason: applied.problem })
          return undefined
        }
        await write(storedName, applied.session, latest === undefined)
        return await sessionCache.find(keyName, orgId)
      })
    },
  }
}

function hasRights(session: Session, rights: TokenRights): boolean {
  const ids = session.applyPolicies ?? []
  return (
    ids.length === rights.policyIds.length &&
    ids.every((id, i) => id === rights.policyIds[i]) &&
    session.expires === laterExpiry(session.expires, rights.expires) &&
    (rights.oauthClientId === '' || rights.oauthClientId === session.oauthClientId)
  )
}

/** A token's expiry never shortens a session. */
function laterExpiry(expires: number, tokenExpires: number | undefined): number {
  return expires <= 0 || tokenExpires === undefined ? expires : Math.max(expires, tokenExpires)
}

function newSession({ orgId }: ApiDefinition, rights: TokenRights, { policies, clock }: TokenSessionServices): Session {
  const now = clock.now()
  const session: Session = {
    ...sessionShape.zero(),
    orgId,
    alias: rights.identity,
    applyPolicies: [...rights.policyIds],
    oauthClientId: rights.oauthClientId,
    dateCreated: formatRfc3339(now),
  }
  const byPolicy = newKeyExpires(session, policies(), now) ?? 0
  return { ...session, expires: Math.max(byPolicy, rights.expires ?? 0) }
}

function changedSession(session: Session, rights: TokenRights): Session {
  return {
    ...session,
    applyPolicies: [...rights.policyIds],
    oauthClientId: rights.oauthClientId === '' ? session.oauthClientId : rights.oauthClientId,
    expires: laterExpiry(session.expires, rights.expires),
  }
}
