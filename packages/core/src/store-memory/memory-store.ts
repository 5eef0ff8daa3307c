/**
 * The reference store: everything in memory, every verb answered without a promise. Other stores are held to do as
 * this one does by the store suite of @turnpike/testkit. Inside: `memory-sessions.ts`, `memory-counters.ts`,
 * `memory-responses.ts`, `memory-records.ts`, `memory-lists.ts`, and `sweep.ts`, which forgets what is over. Signals between nodes are `signals-memory.ts`.
 */
import type { Clock } from '../ports/clock.ts'
import type { Store, StoreHealth } from '../ports/store.ts'
import { type MemoryCounters, makeMemoryCounters } from './memory-counters.ts'
import { type MemoryLists, makeMemoryLists } from './memory-lists.ts'
import { type MemoryRecords, makeMemoryRecords } from './memory-records.ts'
import { type MemoryResponses, makeMemoryResponses } from './memory-responses.ts'
import { type MemorySessions, makeMemorySessions } from './memory-sessions.ts'
import { startSweeping } from './sweep.ts'

/** A store whose verbs answer at once. */
export interface MemoryStore extends Store {
  readonly sessions: MemorySessions
  readonly organisations: MemorySessions
  readonly counters: MemoryCounters
  readonly responses: MemoryResponses
  readonly records: MemoryRecords & MemoryLists
}

export interface MemoryStoreOptions {
  readonly clock: Clock
  /** Most bytes of cached answers. Default 64 MiB; 0 keeps none. */
  readonly responseBytes?: number
}

/** Makes an empty store; it ends with the process. */
export function makeMemoryStore({ clock, responseBytes }: MemoryStoreOptions): MemoryStore {
  const sessions = makeMemorySessions(clock)
  const organisations = makeMemorySessions(clock)
  const counters = makeMemoryCounters({ clock, sweep: false })
  const records = makeMemoryRecords(clock)
  const tables = [sessions, organisations, records].map(({ sweepable }) => sweepable)
  const stopSweeping = startSweeping(clock, [...tables, counters.sweepable])
  return {
    sessions,
    organisations,
    counters,
    responses: makeMemoryResponses({ clock, ...(responseBytes === undefined ? {} : { maxBytes: responseBytes }) }),
    records: { ...records, ...makeMemoryLists() },
    check: () => Promise.resolve<StoreHealth>({ ok: true }),
    close() {
      stopSweeping()
      return Promise.resolve()
    },
  } satisfies Store
}
