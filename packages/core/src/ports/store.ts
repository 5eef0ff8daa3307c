/**
 * State that outlives a request and that nodes share. Each operation is atomic, and counting is one operation. Sessions
 * are read and written back under a lock of this node (`session/registry/key-lock.ts`); between nodes the last write wins.
 * The store's own clock decides windows, so that all nodes on one store agree. The memory store returns values instead of
 * promises, which keeps the path of a request synchronous.
 */

import type { Maybe } from '../lib/maybe.ts'
import type { Millis } from './clock.ts'
import type { QuotaLimit, QuotaResult, QuotaState } from './quota.ts'
import type { RateLimit, RateResult } from './rate-limit.ts'
import type { Session } from './session.ts'
import type { StoredResponse } from './stored-response.ts'

/**
 * The store is unavailable or did not respond in time. It is unknown whether the operation took effect. Any other error of
 * an operation is a bug.
 */
export class StoreUnavailableError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'StoreUnavailableError'
  }
}

export interface Store {
  /** Sessions of keys, by stored name (the key's full name, or its hash: see `session/names/key-name.ts`). */
  readonly sessions: SessionStore
  /** Sessions of organisations, by organisation id. */
  readonly organisations: SessionStore
  readonly counters: CounterStore
  /** Cached responses, by API. */
  readonly responses: ResponseStore
  /** Texts of other features: OAuth clients, codes and tokens, certificates, sign-on tokens, and lists of them. */
  readonly records: RecordStore
  /** Checks whether the store responds now, for /hello. The result contains the reason if it does not. */
  check(): Promise<StoreHealth>
  /** Writes pending changes, then closes files and connections. */
  close(): Promise<void>
}

export type StoreHealth = { readonly ok: true } | { readonly ok: false; readonly reason: string }

export interface SessionStore {
  /**
   * Returns the part of a session that requests need; `undefined` if it does not exist or has expired. In stores that keep
   * rights separately, sessions with equal rights share one frozen `rights` object.
   */
  find(name: string): Maybe<SessionSummary | undefined>
  /** Returns the whole session, which the caller may change; `undefined` as for `find`. */
  get(name: string): Maybe<StoredSession | undefined>
  /** Stores or replaces a session. In durable stores the session survives a crash once the promise has resolved. */
  put(name: string, session: Session, lifetimeMs?: Millis): Maybe<void>
  /** Removes a session and returns true if it existed. Durable like `put`. */
  remove(name: string): Maybe<boolean>
  /** Returns the names that start with the prefix, in any order. */
  list(prefix: string): Maybe<string[]>
}

export interface SessionSummary {
  /** The session, immutable. Fields that differ between keys with equal rights can have their zero values. */
  readonly rights: Session
  /** Unix seconds, as in the session. */
  readonly expires: number
  readonly lastUpdated: string
  /** False: the session is certainly accepted with every authentication method (`session/required-proof.ts`). */
  readonly mayRequireProof: boolean
  /** See `StoredSession`. */
  readonly storedUntil: Millis | undefined
  /** Returns the whole session, current or as of `find`. The caller must not change it. */
  whole(): Session
}

export interface StoredSession {
  readonly session: Session
  /** When the store removes it; `undefined`: never. */
  readonly storedUntil: Millis | undefined
}

/** Identifies a counter: which requests count together. */
export interface CounterId {
  /** Name of the stored key, value of its `rate_limit_pattern`, id of the organisation, or organisation and id of the API. */
  readonly subject: string
  readonly kind: 'key' | 'organisation' | 'api'
  /** `allowance_scope` of the access right; empty: the key counts all its APIs together. */
  readonly scope: string
  /** `METHOD:path pattern` of a rate of one endpoint, or name of an MCP method or primitive; else empty. */
  readonly endpoint: string
}

/** A counter with its limits. */
export interface Counter extends CounterId {
  /** Result of `counterKey`. */
  readonly id: string
  /** Stored `last_updated`, or the rate itself of an API: another value starts a new window of the algorithm `local`. */
  readonly generation: string
  readonly rate: RateLimit | undefined
  /** A key has one quota for all endpoints of a scope. */
  readonly quota: QuotaLimit | undefined
}

/** The key under which a counter is stored in a map: the subject alone for the plain counter of a key. */
export function counterKey({ subject, kind, scope, endpoint }: CounterId): string {
  const isPlain = kind === 'key' && scope === '' && endpoint === '' && !subject.includes('\0')
  return isPlain ? subject : `${kind}\0${scope}\0${endpoint}\0${subject}`
}

export interface CounterStore {
  /**
   * Counts `amount` requests against the rate and, if the rate admits them, against the quota, in one atomic step.
   * A quota period starts with the first counted request. Amount 0 only reads and starts nothing.
   * `rate` or `quota` is undefined if the counter has no such limit; `quota` also if the rate rejects.
   */
  consume(
    counter: Counter,
    amount: number,
  ): Maybe<{ readonly rate: RateResult | undefined; readonly quota: QuotaResult | undefined }>
  /** Returns the state of a quota; `undefined` if nothing was counted in the current period. */
  readQuota(id: CounterId): Maybe<QuotaState | undefined>
  /** Clears quotas; unknown counters are ignored. */
  resetQuotas(ids: readonly CounterId[]): Maybe<void>
  /** Removes the blocked flag that the algorithm `sentinel` sets; the logs of requests stay. */
  unblock(ids: readonly CounterId[]): Maybe<void>
}

/** Version of an API's cache: an invalidation starts a later one. */
export type CacheVersion = number

/**
 * Cached responses (docs/reference/response-cache.md#response-cache). `cache/cache-key.ts` builds their names. The store
 * may evict an entry at any time, but it must not return one that was invalidated.
 */
export interface ResponseStore {
  /** Returns the cached response; `undefined` if it does not exist or has expired. */
  get(apiId: string, name: string): Maybe<StoredResponse | undefined>
  /** The current version. Read before the upstream is called, it is passed with the response that the cache stores. */
  version(apiId: string): Maybe<CacheVersion>
  /**
   * Stores or replaces a response, unless the API was invalidated, or the name removed, after the version was read: a
   * request that was running then must not bring the old response back.
   */
  put(apiId: string, name: string, response: StoredResponse, lifetimeMs: Millis, version: CacheVersion): Maybe<void>
  /** Removes one response; a response that is in progress for this name is not stored. */
  remove(apiId: string, name: string): Maybe<void>
  /** Removes all responses of exactly this API; none in progress is stored. Takes effect on this node when settled. */
  invalidate(apiId: string): Maybe<void>
}

/**
 * Texts by full name. docs/reference/redis-records.md lists the names that original gateways use. A write is durable once
 * its promise resolves.
 */
export interface RecordStore extends RankedLists {
  /** Returns the text; `undefined` if it does not exist or has expired. */
  get(name: string): Maybe<string | undefined>
  /** Stores or replaces a text. It replaces an earlier lifetime too; without a lifetime the text never expires. */
  put(name: string, text: string, lifetimeMs?: Millis): Maybe<void>
  /** Stores a text if the name is free, and returns true if it did. Of several concurrent calls one succeeds. */
  add(name: string, text: string, lifetimeMs?: Millis): Maybe<boolean>
  /** Reads and removes a text. Of several concurrent calls one gets the text. */
  take(name: string): Maybe<string | undefined>
  /** Removes a text and returns true if it existed. Of several concurrent calls one returns true. */
  remove(name: string): Maybe<boolean>
  /** Returns the names that start with the prefix, in any order. */
  names(prefix: string): Maybe<string[]>
}

export interface ListedMember {
  readonly member: string
  readonly rank: number
}

/** Lists of unique members, sorted by rank. Writes are durable once settled. An empty list does not exist. */
export interface RankedLists {
  /** Adds a member to the list, or changes the rank of one that is in it. */
  addMember(list: string, member: string, rank: number): Maybe<void>
  /** Removes a member, and returns whether it was in the list. */
  removeMember(list: string, member: string): Maybe<boolean>
  /** Members of at least this rank (default: all), by rank and then by name. */
  members(list: string, fromRank?: number): Maybe<ListedMember[]>
  /** Removes all members up to and including this rank, and returns how many. */
  pruneMembers(list: string, toRank: number): Maybe<number>
}
