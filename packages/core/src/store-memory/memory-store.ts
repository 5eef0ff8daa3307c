/**
 * The reference store: it keeps everything in memory and returns values instead of promises. The store suite of
 * @turnpike/testkit checks that other stores behave in the same way.
 */
import type { Clock } from '../ports/clock.ts'
import type { Store, StoreHealth } from '../ports/store.ts'
import { type MemoryCounters, makeMemoryCounters } from './memory-counters.ts'
import { type MemoryLists, makeMemoryLists } from './memory-lists.ts'
import { type MemoryRecords, makeMemoryRecords } from './memory-records.ts'
import { type MemoryResponses, makeMemoryResponses } from './memory-responses.ts'
import { type MemorySessions, makeMemorySessions } from './memory-sessions.ts'
import { startSweeping } from './sweep.ts'

/** A store whose operations return values instead of promises. */
export interface MemoryStore extends Store {
  readonly sessions: MemorySessions
  readonly organisations: MemorySessions
  readonly counters: MemoryCounters
  readonly responses: MemoryResponses
  readonly records: MemoryRecords & MemoryLists
}

export interface MemoryStoreOptions {
  readonly clock: Clock
  /** Maximum bytes of cached responses; 0 disables the cache. Default: 64 MiB. */
  readonly responseBytes?: number
}

/** Makes an empty store. Its contents are lost when the process ends. */
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
