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
import { CachedKey, type CachedKeyDependencies } from './cached-key.ts'
import { candidateNames, firstCandidateName, storedNameOf } from './names/key-name.ts'
import type { PolicyBook } from './policies/policy-book.ts'
import { SessionProfiles } from './session-profile.ts'
import { SingleFlight } from './single-flight.ts'

export interface SessionCache {
  /**
   * Finds the key of a credential on an API of this organisation; `undefined` if it does not exist.
   * Returns no promise if the session is cached or the store is synchronous.
   */
  find(credential: string, orgId: string): Maybe<CachedKey | undefined>
  /** Finds the key with exactly this full name. `find` also tries the other names that a credential may mean. */
  findNamed(keyName: string, orgId: string): Maybe<CachedKey | undefined>
  /** Removes the entries of a stored session that was changed or removed. */
  forget(storedName: string): void
  /** Must be called when policies or definitions were replaced: profiles are compiled again at their next use. */
  renew(): void
}

export interface SessionCacheDependencies {
  readonly store: Pick<Store, 'sessions'>
  readonly settings: GatewaySettings
  /** The policies in force now. */
  readonly policies: () => PolicyBook
  readonly clock: Clock
  readonly log: Log
}

export function makeSessionCache(parts: SessionCacheDependencies): SessionCache {
  const { clock, settings, policies } = parts
  const { keys } = settings
  const cache = new CachedKeys(keys.cachedSessions)
  const loads = new SingleFlight<CachedKey | undefined>()
  const profiles = new SessionProfiles(settings, policies)
  const findStored = makeFindStored(parts, profiles)

  return {
    find(credential, orgId) {
      const cacheKey = `${orgId.length}:${orgId}${credential}`
      return (
        cache.get(cacheKey, clock) ??
        loads.load(
          cacheKey,
          () => findStored.byCredential(credential, orgId),
          () => candidateNames(credential, orgId, keys).map((name) => storedNameOf(name, keys.hashKeys)),
          (key) => cache.set(cacheKey, key),
        )
      )
    },
    findNamed(keyName, orgId) {
      // Other cache keys begin with a digit.
      const cacheKey = `=${orgId.length}:${orgId}${keyName}`
      return (
        cache.get(cacheKey, clock) ??
        loads.load(
          cacheKey,
          () => findStored.byName(keyName, orgId),
          () => [storedNameOf(keyName, keys.hashKeys)],
          (key) => cache.set(cacheKey, key),
        )
      )
    },
    forget(storedName) {
      cache.forget(storedName)
      loads.overtake(storedName)
    },
    renew() {
      cache.clear()
      profiles.clear()
      loads.overtakeAll()
    },
  }
}

interface FindStored {
  /** A credential may mean several key names. Finds the first of them that has a stored session. */
  byCredential(credential: string, orgId: string): Maybe<CachedKey | undefined>
  byName(keyName: string, orgId: string): Maybe<CachedKey | undefined>
}

function makeFindStored(
  { store, settings, clock, log }: SessionCacheDependencies,
  profiles: SessionProfiles,
): FindStored {
  const { sessions } = store
  const { keys } = settings
  const uses: CachedKeyDependencies = { apply: (session, orgId) => profiles.apply(session, orgId), keys }

  /** `missing`: the stored names that were tried before this one and have no session. */
  const prepare = (
    [keyName, storedName]: readonly [string, string],
    summary: SessionSummary,
    orgId: string,
    missing: readonly string[] = none,
  ): CachedKey => {
    const { storedUntil = Number.POSITIVE_INFINITY } = summary
    const cachedUntil = Math.min(storedUntil, clock.now() + (keys.cachedForMs ?? Number.POSITIVE_INFINITY))
    const names = { keyName, storedName, orgId, missing: missing.length === 0 ? none : missing }
    const key = new CachedKey(names, summary, profiles.of(summary, orgId), cachedUntil, uses)
    if (key.policyProblem !== undefined) {
      log.warn('the policies of a key cannot be applied', { key: key.logName, reason: key.policyProblem })
    }
    return key
  }

  /** For an asynchronous store: requests all names concurrently. */
  const findLater = async (
    names: readonly string[],
    first: Promise<SessionSummary | undefined>,
    orgId: string,
    missing: readonly string[] = none,
  ) => {
    const storedNames = names.map((name) => storedNameOf(name, keys.hashKeys))
    const found = await Promise.all([first, ...storedNames.slice(1).map((name) => sessions.find(name))])
    const at = found.findIndex((summary) => summary !== undefined)
    const summary = found[at]
    const name = [names[at] as string, storedNames[at] as string] as const
    return summary && prepare(name, summary, orgId, [...missing, ...storedNames.slice(0, at)])
  }

  const findFrom = (names: readonly string[], start: number, orgId: string): Maybe<CachedKey | undefined> => {
    const missing = names.slice(0, start).map((name) => storedNameOf(name, keys.hashKeys))
    for (let i = start; i < names.length; i++) {
      const keyName = names[i] as string
      const storedName = storedNameOf(keyName, keys.hashKeys)
      const summary = sessions.find(storedName)
      if (isPromise(summary)) return findLater(names.slice(i), summary, orgId, missing)
      if (summary !== undefined) return prepare([keyName, storedName], summary, orgId, missing)
      missing.push(storedName)
    }
    return undefined
  }

  return {
    byCredential(credential, orgId) {
      // The first name is nearly always the right one. The others are computed only if it has no session.
      const keyName = firstCandidateName(credential, orgId, keys)
      const storedName = storedNameOf(keyName, keys.hashKeys)
      const summary = sessions.find(storedName)
      if (isPromise(summary)) return findLater(candidateNames(credential, orgId, keys), summary, orgId)
      if (summary !== undefined) return prepare([keyName, storedName], summary, orgId)
      return findFrom(candidateNames(credential, orgId, keys), 1, orgId)
    },
    byName: (keyName, orgId) => findFrom([keyName], 0, orgId),
  }
}

const none: readonly string[] = []

/**
 * An LRU cache of keys. One stored session can have several entries: by short and by full name. An entry also depends on
 * the names that had precedence and were missing: a session that is stored under one of them replaces it.
 */
class CachedKeys {
  private readonly isOff: boolean
  private readonly keys: LRUCache<string, CachedKey>
  /** Cache keys by the stored names that they depend on. */
  private readonly byStoredName = new Map<string, readonly string[]>()

  constructor(maxKeys: number) {
    this.isOff = maxKeys <= 0
    this.keys = new LRUCache({
      // With `max` alone the library reserves memory for all keys at once.
      maxSize: Math.max(1, maxKeys),
      sizeCalculation: () => 1,
      dispose: (key, cacheKey) => this.unlist(key, cacheKey),
    })
  }

  get(cacheKey: string, clock: Clock): CachedKey | undefined {
    const key = this.keys.get(cacheKey)
    if (key === undefined || !hasCome(key.cachedUntil, clock)) return key
    this.keys.delete(cacheKey)
    return undefined
  }

  set(cacheKey: string, key: CachedKey | undefined): void {
    if (key === undefined || this.isOff) return
    this.keys.set(cacheKey, key)
    this.list(key.storedName, cacheKey)
    for (const name of key.missing) this.list(name, cacheKey)
  }

  forget(storedName: string): void {
    for (const cacheKey of this.byStoredName.get(storedName) ?? []) this.keys.delete(cacheKey)
  }

  clear(): void {
    this.keys.clear()
  }

  private list(storedName: string, cacheKey: string): void {
    const others = this.byStoredName.get(storedName)
    this.byStoredName.set(storedName, others === undefined ? [cacheKey] : [...others, cacheKey])
  }

  private unlist({ storedName, missing }: CachedKey, cacheKey: string): void {
    this.unlistName(storedName, cacheKey)
    for (const name of missing) this.unlistName(name, cacheKey)
  }

  private unlistName(storedName: string, cacheKey: string): void {
    const others = this.byStoredName.get(storedName)?.filter((other) => other !== cacheKey) ?? []
    if (others.length > 0) this.byStoredName.set(storedName, others)
    else this.byStoredName.delete(storedName)
  }
}
