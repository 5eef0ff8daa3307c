/**
 * The reference store: everything in memory, every verb answered without a promise. Other stores are held to do as
 * this one does by the store suite of @turnpike/testkit. Inside: `memory-sessions.ts`, `memory-counters.ts`, and
 * `sweep.ts`, which forgets what is over. Signals between nodes are `signals-memory.ts`.
 */
import type { Clock } from '../ports/clock.ts'
import type { Store, StoreHealth } from '../ports/store.ts'
import { type MemoryCounters, makeMemoryCounters } from './memory-counters.ts'
import { type MemorySessions, makeMemorySessions } from './memory-sessions.ts'
import { startSweeping } from './sweep.ts'

/** A store whose verbs answer at once. */
export interface MemoryStore extends Store {
  readonly sessions: MemorySessions
  readonly orgSessions: MemorySessions
  readonly counters: MemoryCounters
}

/** Makes an empty store; it ends with the process. */
export function makeMemoryStore({ clock }: { readonly clock: Clock }): MemoryStore {
  const sessions = makeMemorySessions(clock)
  const orgSessions = makeMemorySessions(clock)
  const counters = makeMemoryCounters({ clock, sweep: false })
  const stopSweeping = startSweeping(clock, [sessions.sweepable, orgSessions.sweepable, ...counters.sweepables])
  return {
    sessions,
    orgSessions,
    counters,
    check: () => Promise.resolve<StoreHealth>({ ok: true }),
    close() {
      stopSweeping()
      return Promise.resolve()
    },
  } satisfies Store
}
