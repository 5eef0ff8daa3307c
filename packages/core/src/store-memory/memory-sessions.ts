/**
 * Sessions in memory. Reads and writes copy, as with a store on disk: a caller that changes its object does not change
 * the stored session.
 */
import type { Clock, Millis } from '../ports/clock.ts'
import { type Session, sessionShape } from '../ports/session.ts'
import type { SessionStore, SessionSummary, StoredSession } from '../ports/store.ts'
import { mayRequireProof } from '../session/required-proof.ts'
import { type OwnFields, SharedRights, splitSession } from '../session/shared-rights.ts'
import { copyOf } from './copy.ts'
import { type Sweepable, sweepMap } from './sweep.ts'

/** Sessions that are returned as values instead of promises. */
export interface MemorySessions extends SessionStore {
  find(name: string): SessionSummary | undefined
  get(name: string): StoredSession | undefined
  put(name: string, session: Session, lifetimeMs?: Millis): void
  remove(name: string): boolean
  list(prefix: string): string[]
  readonly sweepable: Sweepable
}

export function makeMemorySessions(clock: Clock): MemorySessions {
  const held = new Map<string, HeldSession>()
  const shared = new SharedRights()
  const zero = sessionShape.zero()

  const living = (name: string): HeldSession | undefined => {
    const session = held.get(name)
    if (session === undefined || !isOver(session, clock.now())) return session
    held.delete(name)
    return undefined
  }

  return {
    find: living,
    get(name) {
      const session = living(name)
      return session && { session: session.whole(), storedUntil: session.storedUntil }
    },
    put(name, session, lifetimeMs) {
      const { own, rights } = splitSession(copyOf(session), zero)
      const storedUntil = lifetimeMs === undefined ? undefined : clock.now() + lifetimeMs
      held.set(
        name,
        new HeldSession(
          own,
          shared.of(JSON.stringify(rights), () => rights),
          session,
          storedUntil,
        ),
      )
    },
    remove(name) {
      const found = living(name) !== undefined
      held.delete(name)
      return found
    },
    list(prefix) {
      const now = clock.now()
      const names: string[] = []
      for (const [name, session] of held) if (name.startsWith(prefix) && !isOver(session, now)) names.push(name)
      return names
    },
    sweepable: sweepMap(held, isOver),
  } satisfies MemorySessions
}

class HeldSession implements SessionSummary {
  readonly rights: Session
  readonly expires: number
  readonly lastUpdated: string
  readonly mayRequireProof: boolean
  readonly storedUntil: Millis | undefined
  private readonly own: OwnFields

  constructor(own: OwnFields, rights: Session, session: Session, storedUntil: Millis | undefined) {
    this.own = own
    this.rights = rights
    this.expires = session.expires
    this.lastUpdated = session.lastUpdated
    this.mayRequireProof = mayRequireProof(session)
    this.storedUntil = storedUntil
  }

  whole(): Session {
    return copyOf({ ...this.rights, ...this.own })
  }
}

function isOver({ storedUntil }: HeldSession, now: Millis): boolean {
  return storedUntil !== undefined && now >= storedUntil
}
