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
import type { ApiDefinition } from '../definition/api-definition.ts'
import { hashKeyName } from '../lib/hash/key-hash.ts'
import { isPromise, type Maybe } from '../lib/maybe.ts'
import { type Clock, hasCome, type Millis } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Session } from '../ports/session.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import type { Counter, SessionSummary, Store } from '../ports/store.ts'
import { type ApiAccess, counterOf, type StoredQuota, storedQuotaOf } from './api-access.ts'
import { makeLoads } from './loads.ts'
import { candidateNames, firstCandidateName, storedNameOf } from './names/key-name.ts'
import type { PolicyBook } from './policies/policy-book.ts'
import { bindingOf, type SessionBinding } from './session-binding.ts'
import { type SessionProfile, SessionProfiles } from './session-profile.ts'

export interface SessionCache {
  /**
   * Finds the key of a credential on an API of this organisation; `undefined` if it does not exist.
   * Returns no promise if the session is cached or the store is synchronous.
   */
  find(credential: string, orgId: string): Maybe<CachedKey | undefined>
  /** The key of exactly this full name; `find` also tries the names that a credential may mean. */
  findNamed(keyName: string, orgId: string): Maybe<CachedKey | undefined>
  /** The stored session was changed or removed. */
  forget(storedName: string): void
  /** Policies or definitions were replaced: profiles are compiled again at their next use. */
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

export function makeSessionCache(parts: SessionCacheParts): SessionCache {
  const { clock, settings, policies } = parts
  const { keys } = settings
  const cache = new CachedKeys(keys.cachedSessions)
  const loads = makeLoads<CachedKey | undefined>()
  const profiles = new SessionProfiles(settings, policies)
  const findStored = makeFindStored(parts, profiles)

  const load = (
    cacheKey: string,
    find: () => Maybe<CachedKey | undefined>,
    names: () => readonly string[],
  ): Maybe<CachedKey | undefined> => {
    const running = loads.get(cacheKey)
    if (running !== undefined) return running
    const found = find()
    if (!isPromise(found)) {
      cache.set(cacheKey, found)
      return found
    }
    const storedNames = names().map((name) => storedNameOf(name, keys.hashKeys))
    return loads.run(cacheKey, storedNames, found, (key) => cache.set(cacheKey, key))
  }

  return {
    find(credential, orgId) {
      const cacheKey = `${orgId.length}:${orgId}${credential}`
      return (
        cache.get(cacheKey, clock) ??
        load(
          cacheKey,
          () => findStored.byCredential(credential, orgId),
          () => candidateNames(credential, orgId, keys),
        )
      )
    },
    findNamed(keyName, orgId) {
      // Other cache keys begin with a digit.
      const cacheKey = `=${orgId.length}:${orgId}${keyName}`
      return (
        cache.get(cacheKey, clock) ??
        load(
          cacheKey,
          () => findStored.byName(keyName, orgId),
          () => [keyName],
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
  /** Finds the first of the names that a credential may mean under which a session is stored. */
  byCredential(credential: string, orgId: string): Maybe<CachedKey | undefined>
  byName(keyName: string, orgId: string): Maybe<CachedKey | undefined>
}

function makeFindStored({ store, settings, clock, log }: SessionCacheParts, profiles: SessionProfiles): FindStored {
  const { sessions } = store
  const { keys } = settings

  /** `missing`: stored names with precedence under which there was no session. */
  const prepare = (
    [keyName, storedName]: readonly [string, string],
    summary: SessionSummary,
    orgId: string,
    missing: readonly string[] = none,
  ): CachedKey => {
    const { storedUntil = Number.POSITIVE_INFINITY } = summary
    const cachedUntil = Math.min(storedUntil, clock.now() + (keys.cachedForMs ?? Number.POSITIVE_INFINITY))
    const uses = { apply: (session: Session) => profiles.apply(session, orgId), keys }
    const names = { keyName, storedName, missing }
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
      // Nearly always it is the first name, so the others are made only when it is not found.
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
    this.keys = new LRUCache({ max: Math.max(1, maxKeys), dispose: (key, cacheKey) => this.unlist(key, cacheKey) })
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
    this.byStoredName.set(storedName, [...(this.byStoredName.get(storedName) ?? []), cacheKey])
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

interface CachedKeyUses {
  readonly apply: (session: Session) => Session
  readonly keys: GatewaySettings['keys']
}

/** A key that is ready for requests to the APIs of one organisation. */
export class CachedKey {
  /** Full name. Secret: never logged. */
  readonly keyName: string
  /** Name under which the session is stored: the full name or its hash. */
  readonly storedName: string
  /** Stored names with precedence that had no session when the key was found. */
  readonly missing: readonly string[]
  readonly profile: SessionProfile
  /** In ms; `undefined`: never. */
  readonly expiresAt: Millis | undefined
  /** The cache does not return the key from this time on; Infinity: no limit. */
  readonly cachedUntil: Millis
  private readonly summary: SessionSummary
  private readonly uses: CachedKeyUses
  private readonly counters = new Map<ApiDefinition, Counter>()
  private readonly storedQuotas = new Map<ApiDefinition, StoredQuota>()
  private whole: Session | undefined = undefined
  private knownBinding: SessionBinding | null | undefined = undefined

  constructor(
    { keyName, storedName, missing }: Pick<CachedKey, 'keyName' | 'storedName' | 'missing'>,
    summary: SessionSummary,
    profile: SessionProfile,
    cachedUntil: Millis,
    uses: CachedKeyUses,
  ) {
    this.keyName = keyName
    this.storedName = storedName
    this.missing = missing
    this.summary = summary
    this.profile = profile
    this.cachedUntil = cachedUntil
    this.uses = uses
    this.expiresAt = summary.expires > 0 ? summary.expires * 1000 : undefined
  }

  get isInactive(): boolean {
    return this.profile.session.isInactive
  }

  get policyProblem(): string | undefined {
    return this.profile.policyProblem
  }

  /** The whole session, with policies applied if possible. Read at the first call, because most requests do not need it. */
  get session(): Session {
    this.whole ??= this.uses.apply(this.summary.whole())
    return this.whole
  }

  /** The methods and certificates with which the session must be proven; `undefined`: any. Read at the first call. */
  get binding(): SessionBinding | undefined {
    if (!this.summary.mayBeBound) return undefined
    if (this.knownBinding === undefined) {
      this.knownBinding = bindingOf(this.summary.whole(), this.storedName, this.uses.keys) ?? null
    }
    return this.knownBinding ?? undefined
  }

  /** Hash of the key, for logs. */
  get logName(): string {
    return hashKeyName(this.keyName)
  }

  /** Returns what the key may do on the API; `undefined`: no access. */
  accessTo(api: ApiDefinition): ApiAccess | undefined {
    return this.profile.accessTo(api)
  }

  /** As `accessTo`, for a token of an OAuth client of this API. */
  accessOfClientTo(api: ApiDefinition): ApiAccess | undefined {
    return this.profile.accessOfClientTo(api)
  }

  /** The stored numbers of the quota on the API. Reads the whole session at the first call. */
  storedQuotaOn(api: ApiDefinition): StoredQuota {
    let stored = this.storedQuotas.get(api)
    if (stored === undefined) {
      stored = storedQuotaOf(this.session, api.id)
      this.storedQuotas.set(api, stored)
    }
    return stored
  }

  /** Returns the counter of the key on an API to which it has this access. Built at the first call. */
  counterOn(api: ApiDefinition, access: ApiAccess): Counter {
    let counter = this.counters.get(api)
    if (counter === undefined) {
      counter = counterOf(access, this.storedName, generationOf(this.summary, this.profile))
      this.counters.set(api, counter)
    }
    return counter
  }
}

/** Time of the last change of the key or its policies. A change starts a new window of the rate. */
function generationOf({ lastUpdated }: SessionSummary, { session }: SessionProfile): string {
  return session.lastUpdated > lastUpdated ? session.lastUpdated : lastUpdated
}
