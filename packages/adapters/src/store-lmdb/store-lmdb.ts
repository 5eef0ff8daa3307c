/**
 * The store of a gateway on its own: LMDB in a folder. Sessions, records and lists are on disk before a write
 * settles and are read without a promise; quota counters live in memory, are read from disk when it is opened and
 * written behind, at most a second late, to a log beside the database; rate windows and cached answers live in memory
 * alone. One process per folder.
 *
 * `open-database.ts` has the database and the folder's lock, `quotas/` the log; `lmdb-sessions.ts`, `lmdb-records.ts`,
 * `lmdb-lists.ts` and `quotas/logged-counters.ts` the verbs.
 */
import { type Clock, makeMemoryResponses, type Store, type StoreHealth } from '@turnpike/core'
import { systemClock } from '../clock-system/clock-system.ts'
import { explained } from './data-folder-problem.ts'
import { startDiskSweep } from './disk-sweep.ts'
import { isTextExpired } from './kept-text.ts'
import { makeLmdbLists } from './lmdb-lists.ts'
import { makeLmdbRecords } from './lmdb-records.ts'
import { makeLmdbSessions } from './lmdb-sessions.ts'
import { openDatabase } from './open-database.ts'
import { type LoggedCounters, makeLoggedCounters } from './quotas/logged-counters.ts'
import { isExpired } from './session-record.ts'

export { DataFolderProblem } from './data-folder-problem.ts'

export interface LmdbStoreOptions {
  /** Folder of the database; made when it is missing. */
  readonly path: string
  /** Decides lifetimes and periods; the system's by default. */
  readonly clock?: Clock
  /** Most bytes of cached answers. Default 64 MiB; 0 keeps none. */
  readonly responseBytes?: number
}

export interface LmdbStore extends Store {
  /** Resolves when the disk has the quotas that were handed to it by now; those of the last half second were not yet. */
  settled(): Promise<void>
}

/**
 * Opens the store in its folder. Rejects with `DataFolderProblem`, whose message names the folder and the way out,
 * when it cannot be written, is in use by another process, or holds something else.
 */
export async function makeLmdbStore({
  path,
  clock = systemClock,
  responseBytes,
}: LmdbStoreOptions): Promise<LmdbStore> {
  const database = openDatabase(path)
  const logged = await openCounters()
  const stopSweep = startDiskSweep(clock, [
    { table: database.sessions, isOver: isExpired },
    { table: database.organisations, isOver: isExpired },
    { table: database.records, isOver: isTextExpired },
  ])
  let closing: Promise<void> | undefined
  return {
    sessions: makeLmdbSessions(database.sessions, clock),
    organisations: makeLmdbSessions(database.organisations, clock),
    counters: logged.counters,
    responses: makeMemoryResponses({ clock, ...(responseBytes === undefined ? {} : { maxBytes: responseBytes }) }),
    records: { ...makeLmdbRecords(database.records, clock), ...makeLmdbLists(database.lists, clock) },
    async check(): Promise<StoreHealth> {
      if (closing !== undefined) return { ok: false, reason: 'the store is closed' }
      const { problem } = logged.writer
      return problem === undefined ? { ok: true } : { ok: false, reason: `the disk takes no writes: ${problem}` }
    },
    close() {
      closing ??= closeAll()
      return closing
    },
    settled: logged.settled,
  } satisfies LmdbStore

  async function openCounters(): Promise<LoggedCounters> {
    try {
      return explained(database.folder, () => makeLoggedCounters(database.folder, clock))
    } catch (error) {
      await database.close()
      throw error
    }
  }

  async function closeAll(): Promise<void> {
    stopSweep()
    try {
      await logged.close()
    } finally {
      await database.close()
    }
  }
}
