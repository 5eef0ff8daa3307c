/**
 * Cached answers in memory, bounded in bytes: the least recently used go first. Other stores of one node use it too,
 * since nothing is lost but time when it is gone.
 *
 * Invalidation holds at once, whatever it costs to take the entries out: an API's scope is replaced in one step, and
 * what hangs on the old one is not found any more.
 */
import { LRUCache } from 'lru-cache'
import type { Clock, Millis } from '../ports/clock.ts'
import type { CacheVersion, ResponseStore } from '../ports/store.ts'
import { type StoredResponse, sizeOf } from '../ports/stored-response.ts'

/** Cached answers that are given without a promise. */
export interface MemoryResponses extends ResponseStore {
  get(apiId: string, name: string): StoredResponse | undefined
  version(apiId: string): CacheVersion
  put(apiId: string, name: string, response: StoredResponse, lifetimeMs: Millis, version: CacheVersion): void
  remove(apiId: string, name: string): void
  invalidate(apiId: string): void
  /** About how many bytes are held. */
  readonly bytes: number
}

export interface MemoryResponsesOptions {
  readonly clock: Clock
  /** Most bytes held; 0 keeps nothing. Default 64 MiB. */
  readonly maxBytes?: number
}

/** Default of `maxBytes`. */
export const defaultResponseBytes = 64 * 1024 * 1024

/** Entries of an invalidated API that are taken out in one go: well under a millisecond. */
const removedPerTurn = 1000

/** The entries of one API since its last invalidation. */
class Scope {
  readonly names = new Set<string>()
  /** Versions from before are invalid. */
  readonly since: CacheVersion
  live = true
  /** For single names that were removed, by a small hash: versions from before are invalid. */
  private removals: Float64Array | undefined = undefined
  constructor(since: CacheVersion) {
    this.since = since
  }

  noteRemoval(name: string, at: CacheVersion): void {
    this.removals ??= new Float64Array(256)
    this.removals[smallHash(name)] = at
  }

  admits(name: string, version: CacheVersion): boolean {
    return version >= this.since && version >= (this.removals?.[smallHash(name)] ?? 0)
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
  // A logical clock: every invalidation is a later moment than all versions before it.
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
      // What is larger than all there is room for was not taken.
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
      // Whoever would write for this API has taken a version, and so made a scope.
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

function smallHash(name: string): number {
  let hash = name.length
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0
  return hash & 0xff
}
