/**
 * What the gateway remembers. One verb is one decision and is atomic: there is no get-then-set in the engine.
 * The store's own clock decides windows, so that all nodes on one store agree.
 * The memory store answers without a promise, which keeps the hot path synchronous.
 */
import type { Maybe } from '../maybe.ts'
import type { QuotaLimit, QuotaSpent, QuotaState } from '../quota/quota.ts'
import type { RateLimit, RateTaken } from '../rate-limit/rate-limit.ts'
import type { Session } from '../session/session.ts'
import type { Millis } from './clock.ts'

export interface Store {
  /** Sessions of keys, by stored name (the key's full name, or its hash: see `session/key-name.ts`). */
  readonly sessions: SessionStore
  /** Sessions of organisations, by organisation id. */
  readonly orgSessions: SessionStore
  readonly counters: CounterStore
  /** Whether the store answers now; what /hello tells. Resolves with the reason when it does not. */
  check(): Promise<StoreHealth>
  /** Writes what is pending and lets go of files and connections. */
  close(): Promise<void>
}

export type StoreHealth = { readonly ok: true } | { readonly ok: false; readonly reason: string }

export interface SessionStore {
  /** The session, or `undefined` when none is stored or its lifetime is over. */
  get(storedName: string): Maybe<StoredSession | undefined>
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
