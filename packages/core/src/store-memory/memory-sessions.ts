/**
 * Sessions in memory. What goes in and what comes out are copies, as with a store on disk: changing an object that
 * was read or written changes nothing here. The keyring holds compiled sessions, so no hot path pays for it.
 */
import type { Clock, Millis } from '../ports/clock.ts'
import type { Session } from '../ports/session.ts'
import type { SessionStore, StoredSession } from '../ports/store.ts'
import { copyOf } from './copy.ts'
import { type Sweepable, sweepMap } from './sweep.ts'

/** Sessions that are answered without a promise. */
export interface MemorySessions extends SessionStore {
  get(storedName: string): StoredSession | undefined
  put(storedName: string, session: Session, lifetimeMs?: Millis): void
  remove(storedName: string): boolean
  list(prefix: string): string[]
  readonly sweepable: Sweepable
}

export function makeMemorySessions(clock: Clock): MemorySessions {
  const held = new Map<string, StoredSession>()
  return {
    get(storedName) {
      const stored = held.get(storedName)
      if (stored === undefined) return undefined
      if (!isGone(stored, clock.now())) return { session: copyOf(stored.session), goneAt: stored.goneAt }
      held.delete(storedName)
      return undefined
    },
    put(storedName, session, lifetimeMs) {
      const goneAt = lifetimeMs === undefined ? undefined : clock.now() + lifetimeMs
      held.set(storedName, { session: copyOf(session), goneAt })
    },
    remove(storedName) {
      const stored = held.get(storedName)
      held.delete(storedName)
      return stored !== undefined && !isGone(stored, clock.now())
    },
    list(prefix) {
      const now = clock.now()
      const names: string[] = []
      for (const [name, stored] of held) if (name.startsWith(prefix) && !isGone(stored, now)) names.push(name)
      return names
    },
    sweepable: sweepMap(held, isGone),
  } satisfies MemorySessions
}

function isGone(stored: StoredSession, now: Millis): boolean {
  return stored.goneAt !== undefined && now >= stored.goneAt
}
