/**
 * What the gateway remembers. One verb is one decision and is atomic: there is no get-then-set in the engine.
 * The store's own clock decides windows, so that all nodes on one store agree.
 * The memory store answers without a promise, which keeps the hot path synchronous.
 */

import type { Maybe } from '../lib/maybe.ts'
import type { Millis } from './clock.ts'
import type { QuotaLimit, QuotaResult, QuotaState } from './quota.ts'
import type { RateLimit, RateResult } from './rate-limit.ts'
import type { Session } from './session.ts'
import type { StoredResponse } from './stored-response.ts'

/**
 * The store cannot be asked now, or did not answer in time: what its verbs reject with then. Nothing is known of what
 * became of the call. Any other error of a verb is a fault.
 */
export class StoreAway extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'StoreAway'
  }
}

export interface Store {
  /** Sessions of keys, by stored name (the key's full name, or its hash: see `session/key-name.ts`). */
  readonly sessions: SessionStore
  /** Sessions of organisations, by organisation id. */
  readonly organisations: SessionStore
  readonly counters: CounterStore
  /** Cached answers, by API. */
  readonly responses: ResponseStore
  /** What features store for themselves: OAuth clients, codes and tokens, certificates, sign-on nonces, and lists of them. */
  readonly records: RecordStore
  /** Whether the store answers now; what /hello tells. Resolves with the reason when it does not. */
  check(): Promise<StoreHealth>
  /** Writes what is pending and lets go of files and connections. */
  close(): Promise<void>
}

export type StoreHealth = { readonly ok: true } | { readonly ok: false; readonly reason: string }

export interface SessionStore {
  /**
   * What requests need of a session; `undefined` when none is stored or its lifetime is over. Where a store tells rights
   * from the rest, sessions with equal rights share one frozen `rights` object.
   */
  find(name: string): Maybe<SessionSummary | undefined>
  /** The whole session, or `undefined` as for `find`. The caller owns it. */
  get(name: string): Maybe<StoredSession | undefined>
  /** Stores or replaces. Once settled, the session outlives a crash of the process (durable stores). */
  put(name: string, session: Session, lifetimeMs?: Millis): Maybe<void>
  /** Removes, and returns whether there was one. Durable like `put`. */
  remove(name: string): Maybe<boolean>
  /** Names that begin with the prefix, in no certain order. */
  list(prefix: string): Maybe<string[]>
}

export interface SessionSummary {
  /** The session; fields that differ from key to key may be at their zero values. Never changed by anybody. */
  readonly rights: Session
  /** As in the session. */
  readonly expires: number
  readonly quotaRenews: number
  readonly lastUpdated: string
  /** As in `StoredSession`. */
  readonly storedUntil: Millis | undefined
  /** The whole session, as it is stored now or was when it was found. The caller does not change it. */
  whole(): Session
}

export interface StoredSession {
  readonly session: Session
  /** When the store removes it; `undefined`: never. */
  readonly storedUntil: Millis | undefined
}

/** Whose requests are counted together. */
export interface CounterId {
  /** Name of the stored key, value of its `rate_limit_pattern`, id of the organisation, or organisation and id of the API. */
  readonly subject: string
  readonly kind: 'key' | 'organisation' | 'api'
  /** `allowance_scope` of the access right; empty: the key counts all its APIs together. */
  readonly scope: string
  /** `METHOD:path pattern` of a rate of one endpoint, or name of an MCP method or primitive; else empty. */
  readonly endpoint: string
}

/** A subject with its limits. Built once for each key and API, and passed with every request. */
export interface Counter extends CounterId {
  /** As `counterKey` returns it. */
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
   * Counts `amount` requests against the rate and, if that allows them, against the quota, in one atomic step.
   * A quota's period begins with the first counted request. Amount 0 only reads: no window and no period starts.
   * `rate` or `quota` is undefined where the counter has no such limit; `quota` also where the rate refused.
   */
  consume(
    counter: Counter,
    amount: number,
  ): Maybe<{ readonly rate: RateResult | undefined; readonly quota: QuotaResult | undefined }>
  /** State of a quota; `undefined` when nothing was counted in the current period. */
  readQuota(id: CounterId): Maybe<QuotaState | undefined>
  /** Clears quotas; unknown counters are ignored. */
  resetQuotas(ids: readonly CounterId[]): Maybe<void>
  /** Removes the blocked flag that the algorithm `sentinel` sets; the logs of requests stay. */
  unblock(ids: readonly CounterId[]): Maybe<void>
}

/** Version of an API's cache: an invalidation starts a later one. */
export type CacheVersion = number

/**
 * Answers that are kept to be given again (docs/reference/response-cache.md#response-cache). Names are made by `cache/cache-name.ts`.
 * Losing any of them at any time is fine; giving one after it was invalidated is not.
 */
export interface ResponseStore {
  /** The answer under a name; `undefined` when there is none or its lifetime is over. */
  get(apiId: string, name: string): Maybe<StoredResponse | undefined>
  /** The current version. Read before the upstream is called, it is passed with the response that the cache stores. */
  version(apiId: string): Maybe<CacheVersion>
  /**
   * Stores or replaces a response, unless the API was invalidated, or the name removed, after the version was read: a
   * request that was running then must not bring the old response back.
   */
  put(apiId: string, name: string, response: StoredResponse, lifetimeMs: Millis, version: CacheVersion): Maybe<void>
  /** Forgets one answer, and what is under way for it. */
  remove(apiId: string, name: string): Maybe<void>
  /** Forgets all answers of exactly this API, and what is under way for it. Once settled it holds on this node. */
  invalidate(apiId: string): Maybe<void>
}

/** Texts under full names; the names are those of docs/reference/redis-layout.md#redis-layout where it has one. Writes are durable once settled. */
export interface RecordStore extends RankedLists {
  /** The text, or `undefined` when there is none or its lifetime is over. */
  get(name: string): Maybe<string | undefined>
  /** Stores or replaces. Without a lifetime it stays; an earlier lifetime is lost. */
  put(name: string, text: string, lifetimeMs?: Millis): Maybe<void>
  /** Stores where nothing is stored, and tells whether it did: of several at once, one does. */
  add(name: string, text: string, lifetimeMs?: Millis): Maybe<boolean>
  /** Reads and removes: of several at once, one gets the text. */
  take(name: string): Maybe<string | undefined>
  /** Removes; tells whether there was one: of several at once, one is told so. */
  remove(name: string): Maybe<boolean>
  /** Names that begin with the prefix, in no certain order. */
  names(prefix: string): Maybe<string[]>
}

export interface ListedMember {
  readonly member: string
  readonly rank: number
}

/** Lists whose members are unique. Writes are durable once settled. An empty list is no list. */
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
