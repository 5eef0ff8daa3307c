/**
 * What the gateway remembers. One verb is one decision and is atomic: there is no get-then-set in the engine.
 * The store's own clock decides windows, so that all nodes on one store agree.
 * The memory store answers without a promise, which keeps the hot path synchronous.
 */
import type { StoredResponse } from '../cache/stored-response.ts'
import type { Maybe } from '../maybe.ts'
import type { QuotaLimit, QuotaSpent, QuotaState } from '../quota/quota.ts'
import type { RateLimit, RateTaken } from '../rate-limit/rate-limit.ts'
import type { SessionOutline } from '../session/outline.ts'
import type { Session } from '../session/session.ts'
import type { Millis } from './clock.ts'

export interface Store {
  /** Sessions of keys, by stored name (the key's full name, or its hash: see `session/key-name.ts`). */
  readonly sessions: SessionStore
  /** Sessions of organisations, by organisation id. */
  readonly orgSessions: SessionStore
  readonly counters: CounterStore
  /** Cached answers, by API. */
  readonly responses: ResponseStore
  /** Whether the store answers now; what /hello tells. Resolves with the reason when it does not. */
  check(): Promise<StoreHealth>
  /** Writes what is pending and lets go of files and connections. */
  close(): Promise<void>
}

export type StoreHealth = { readonly ok: true } | { readonly ok: false; readonly reason: string }

export interface SessionStore {
  /** The session, or `undefined` when none is stored or its lifetime is over. */
  get(storedName: string): Maybe<StoredSession | undefined>
  /** As `get`, in outline. Only where it costs less; the keyring asks `get` where it is absent. */
  outline?(storedName: string): Maybe<SessionOutline | undefined>
  /** Stores or replaces. Once settled, the session outlives a crash of the process (durable stores). */
  put(storedName: string, session: Session, lifetimeMs?: Millis): Maybe<void>
  /** Removes; tells whether there was one. Durable like `put`. */
  remove(storedName: string): Maybe<boolean>
  /** Names that begin with the prefix, in no certain order. */
  list(prefix: string): Maybe<string[]>
}

export interface StoredSession {
  readonly session: Session
  /** When the store forgets it; `undefined`: never. */
  readonly goneAt: Millis | undefined
}

export interface CounterStore {
  /**
   * Counts `amount` requests against a quota and tells whether they are within it.
   * The period begins with the first counted request. Amount 0 only looks.
   */
  spend(name: string, limit: QuotaLimit, amount: number): Maybe<QuotaSpent>
  /** State of a quota counter; `undefined` when nothing was counted in the current period. */
  readQuota(name: string): Maybe<QuotaState | undefined>
  /** Forgets quota counters; unknown names are fine. */
  resetQuotas(names: readonly string[]): Maybe<void>
  /** Asks a rate for `amount` requests. Amount 0 only looks: nothing is counted, no window starts. */
  take(name: string, limit: RateLimit, amount: number): Maybe<RateTaken>
  /** Takes the sentinel's mark off these rate counters (spec/sessions-and-limits.md 2.4); logs stay. */
  clearMarks(names: readonly string[]): Maybe<void>
}

/** A moment in the life of a cache, before or after an invalidation. */
export type CacheMark = number

/**
 * Answers that are kept to be given again (spec/apis-and-pipeline.md 5). Names are made by `cache/cache-name.ts`.
 * Losing any of them at any time is fine; giving one after it was invalidated is not.
 */
export interface ResponseStore {
  /** The answer under a name; `undefined` when there is none or its lifetime is over. */
  get(apiId: string, name: string): Maybe<StoredResponse | undefined>
  /** The moment now. Taken before the upstream is asked, it goes with what is made of its answer. */
  mark(apiId: string): Maybe<CacheMark>
  /**
   * Keeps or replaces an answer, unless the API was invalidated, or the name removed, after the mark was taken: what
   * was under way then must not come back.
   */
  put(apiId: string, name: string, response: StoredResponse, lifetimeMs: Millis, mark: CacheMark): Maybe<void>
  /** Forgets one answer, and what is under way for it. */
  remove(apiId: string, name: string): Maybe<void>
  /** Forgets all answers of exactly this API, and what is under way for it. Once settled it holds on this node. */
  invalidate(apiId: string): Maybe<void>
}
