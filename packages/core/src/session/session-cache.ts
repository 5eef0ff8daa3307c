/**
 * Finds the session of a credential and caches it ready for requests. The cache never returns a session that this node
 * knows to be stale: entries are removed by `forget` and `renew`, and expire with the stored session, or after
 * `cachedForMs` where other nodes write to the store.
 *
 * Concurrent misses share one load, and a load that a change overtakes is not cached. A key that is not found is not
 * cached either, because another node may create it at any time.
 * Source: docs/reference/sessions.md#key-names, docs/reference/policies.md#applying-policies.
 */
import { LRUCache } from 'lru-cache'
import { isPromise, type Maybe } from '../lib/maybe.ts'
import { type Clock, hasCome } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import type { SessionSummary, Store } from '../ports/store.ts'
import { CachedKey } from './cached-key.ts'
import { makeLoads } from './loads.ts'
import { candidateNames, firstCandidateName, storedNameOf } from './names/key-name.ts'
import type { PolicyBook } from './policies/policy-book.ts'
import { SessionProfiles } from './session-profile.ts'

export interface SessionCache {
  /**
   * The key that a client named on an API of this organisation; `undefined` when there is none.
   * Returns no promise when the session is cached or the store is synchronous.
   */
  find(credential: string, orgId: string): Maybe<CachedKey | undefined>
  /** The stored session was changed or removed. */
  forget(storedName: string): void
  /** Policies or definitions were replaced: everything is made again at its next use. */
  renew(): void
}

export interface SessionCacheParts {
  readonly store: Pick<Store, 'sessions'>
  readonly settings: GatewaySettings
  /** The policies in force now. */
  readonly policies: () => PolicyBook
  readonly clock: Clock
  readonly log: Log
}

export function makeSessionCache({ store, settings, policies, clock, log }: SessionCacheParts): SessionCache {
  const { sessions } = store
  const { keys } = settings
  const { cachedSessions, cachedForMs = Number.POSITIVE_INFINITY } = keys
  const profiles = new SessionProfiles(settings, policies)
  const loads = makeLoads<CachedKey | undefined>()
  const byStoredName = new Map<string, string[]>()
  const cache = new LRUCache<string, CachedKey>({
    max: Math.max(1, cachedSessions),
    dispose: ({ storedName }, cacheKey) => {
      const others = byStoredName.get(storedName)?.filter((other) => other !== cacheKey) ?? []
      if (others.length > 0) byStoredName.set(storedName, others)
      else byStoredName.delete(storedName)
    },
  })

  const put = (cacheKey: string, key: CachedKey) => {
    if (cachedSessions <= 0) return
    cache.set(cacheKey, key)
    byStoredName.set(key.storedName, [...(byStoredName.get(key.storedName) ?? []), cacheKey])
  }

  const prepare = (keyName: string, storedName: string, summary: SessionSummary, orgId: string): CachedKey => {
    const cachedUntil = Math.min(summary.storedUntil ?? Number.POSITIVE_INFINITY, clock.now() + cachedForMs)
    const profile = profiles.of(summary, orgId)
    const apply = (session: SessionSummary['rights']) => profiles.apply(session, orgId)
    const key = new CachedKey(keyName, storedName, summary, profile, cachedUntil, apply)
    if (key.policyProblem !== undefined) {
      log.warn('the policies of a key cannot be applied', { key: key.logName, reason: key.policyProblem })
    }
    return key
  }

  /** Tries the names that the credential may mean, in order. A store that answers later gets all of them at once. */
  const loadFrom = (names: readonly string[], start: number, orgId: string): Maybe<CachedKey | undefined> => {
    for (let i = start; i < names.length; i++) {
      const keyName = names[i] as string
      const storedName = storedNameOf(keyName, keys.hashKeys)
      const summary = sessions.find(storedName)
      if (isPromise(summary)) return firstFound(names.slice(i), summary, orgId)
      if (summary !== undefined) return prepare(keyName, storedName, summary, orgId)
    }
    return undefined
  }

  const firstFound = async (
    names: readonly string[],
    first: Promise<SessionSummary | undefined>,
    orgId: string,
  ): Promise<CachedKey | undefined> => {
    const storedNames = names.map((name) => storedNameOf(name, keys.hashKeys))
    const found = await Promise.all([first, ...storedNames.slice(1).map((name) => sessions.find(name))])
    const at = found.findIndex((summary) => summary !== undefined)
    const summary = found[at]
    return summary && prepare(names[at] as string, storedNames[at] as string, summary, orgId)
  }

  const load = (cacheKey: string, credential: string, orgId: string): Maybe<CachedKey | undefined> => {
    const running = loads.get(cacheKey)
    if (running !== undefined) return running
    // Nearly always it is the first name, so the others are only made when it is not found.
    const first = firstCandidateName(credential, orgId, keys)
    const storedName = storedNameOf(first, keys.hashKeys)
    const summary = sessions.find(storedName)
    if (isPromise(summary)) {
      const names = candidateNames(credential, orgId, keys)
      const storedNames = names.map((name) => storedNameOf(name, keys.hashKeys))
      return loads.run(cacheKey, storedNames, firstFound(names, summary, orgId), (key) => {
        if (key !== undefined) put(cacheKey, key)
      })
    }
    const key =
      summary === undefined
        ? loadFrom(candidateNames(credential, orgId, keys), 1, orgId)
        : prepare(first, storedName, summary, orgId)
    if (key !== undefined && !isPromise(key)) put(cacheKey, key)
    return key
  }

  return {
    find(credential, orgId) {
      const cacheKey = `${orgId.length}:${orgId}${credential}`
      const key = cache.get(cacheKey)
      if (key !== undefined) {
        if (!hasCome(key.cachedUntil, clock)) return key
        cache.delete(cacheKey)
      }
      return load(cacheKey, credential, orgId)
    },
    forget(storedName) {
      for (const cacheKey of byStoredName.get(storedName) ?? []) cache.delete(cacheKey)
      loads.overtake(storedName)
    },
    renew() {
      cache.clear()
      profiles.clear()
      loads.overtakeAll()
    },
  }
}
