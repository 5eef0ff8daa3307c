/**
 * Cached responses in memory, bounded in bytes; the least recently used ones are evicted first. The LMDB store uses
 * this cache too, because cached responses need not survive a restart.
 *
 * Invalidation of an API takes effect at once: the API gets a new scope, and entries of an old scope are never returned.
 * Removing them from the map happens later, in slices.
 */
import { LRUCache } from 'lru-cache'
import type { Clock, Millis } from '../ports/clock.ts'
import type { CacheVersion, ResponseStore } from '../ports/store.ts'
import { type StoredResponse, sizeOf } from '../ports/stored-response.ts'

/** A response cache that returns values instead of promises. */
export interface MemoryResponses extends ResponseStore {
  get(apiId: string, name: string): StoredResponse | undefined
  version(apiId: string): CacheVersion
  put(apiId: string, name: string, response: StoredResponse, lifetimeMs: Millis, version: CacheVersion): void
  remove(apiId: string, name: string): void
  invalidate(apiId: string): void
  /** Approximate number of bytes held. */
  readonly bytes: number
}

export interface MemoryResponsesOptions {
  readonly clock: Clock
  /** Maximum number of bytes held; 0 disables the cache. Default: 64 MiB. */
  readonly maxBytes?: number
}

/** Default of `maxBytes`. */
export const defaultResponseBytes = 64 * 1024 * 1024

/** Entries of an invalidated API that are removed without a pause, in well under a millisecond. */
const removedPerTurn = 1000

/** Removed names that are tracked for each API. With one more, no response in progress is stored. */
const maxRemovals = 1000

/** The entries of one API since its last invalidation. */
class Scope {
  readonly names = new Set<string>()
  live = true
  /** Earlier cache versions are invalid. */
  private since: CacheVersion
  /** By the hash of a name, the cache version of its last removal: earlier versions are invalid. */
  private readonly removals = new Map<number, CacheVersion>()
  constructor(since: CacheVersion) {
    this.since = since
  }

  noteRemoval(name: string, at: CacheVersion): void {
    if (this.removals.size >= maxRemovals) {
      this.removals.clear()
      this.since = at
    }
    this.removals.set(hashOf(name), at)
  }

  admits(name: string, version: CacheVersion): boolean {
    return version >= this.since && version >= (this.removals.get(hashOf(name)) ?? 0)
  }
}

class Slot {
  readonly response: StoredResponse
  readonly expiresAt: Millis
  readonly scope: Scope
  constructor(response: StoredResponse, expiresAt: Millis, scope: Scope) {
    this.response = response
    this.expiresAt = expiresAt
    this.scope = scope
  }
}

export function makeMemoryResponses(options: MemoryResponsesOptions): MemoryResponses {
  const { clock, maxBytes = defaultResponseBytes } = options
  const scopes = new Map<string, Scope>()
  const slots = new LRUCache<string, Slot>({
    maxSize: Math.max(1, Math.trunc(maxBytes)),
    sizeCalculation: ({ response }, key) => sizeOf(response) + 2 * key.length,
    dispose: ({ scope }, key) => scope.names.delete(key),
  })
  // A logical clock: each invalidation advances it past all versions that were handed out.
  let moment: CacheVersion = 0

  const scopeOf = (apiId: string): Scope => {
    let scope = scopes.get(apiId)
    if (scope === undefined) {
      scope = new Scope(0)
      scopes.set(apiId, scope)
    }
    return scope
  }

  const empty = async (scope: Scope): Promise<void> => {
    let done = 0
    for (const key of scope.names) {
      // The name may belong to a new entry by now.
      if (slots.peek(key)?.scope === scope) slots.delete(key)
      scope.names.delete(key)
      if (++done % removedPerTurn === 0) await clock.breathe()
    }
  }

  return {
    get(apiId, name) {
      const key = keyOf(apiId, name)
      const slot = slots.get(key)
      if (slot === undefined) return undefined
      if (slot.scope.live && clock.now() < slot.expiresAt) return slot.response
      slots.delete(key)
      return undefined
    },
    version(apiId) {
      scopeOf(apiId)
      return moment
    },
    put(apiId, name, response, lifetimeMs, version) {
      const scope = scopeOf(apiId)
      if (lifetimeMs <= 0 || !scope.admits(name, version)) return
      const key = keyOf(apiId, name)
      slots.set(key, new Slot(response, clock.now() + lifetimeMs, scope))
      // The cache does not take an entry that is larger than its limit.
      if (slots.has(key)) scope.names.add(key)
    },
    remove(apiId, name) {
      const scope = scopes.get(apiId)
      if (scope === undefined) return
      moment += 1
      scope.noteRemoval(name, moment)
      slots.delete(keyOf(apiId, name))
    },
    invalidate(apiId) {
      const scope = scopes.get(apiId)
      // Without a scope nobody has called `version`, so no write for this API can follow.
      if (scope === undefined) return
      moment += 1
      scope.live = false
      scopes.set(apiId, new Scope(moment))
      void empty(scope)
    },
    get bytes() {
      return slots.calculatedSize
    },
  } satisfies MemoryResponses
}

function keyOf(apiId: string, name: string): string {
  return `${apiId}\n${name}`
}

function hashOf(name: string): number {
  let hash = name.length
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0
  return hash
}
