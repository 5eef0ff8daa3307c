/**
 * The store of a single machine: LMDB in a folder. Sessions, records and lists are on disk before a write settles, and
 * reads return values instead of promises. Cached responses are only in memory. If one process uses the folder, it counts
 * in memory (`quotas/process-counters.ts`); several workers count in a second LMDB environment (`shared`).
 */
import { resolve } from 'node:path'
import { type Clock, type Log, type Store, type StoreHealth, silentLog } from '@turnpike/core/ports'
import { makeMemoryResponses } from '@turnpike/core/store-memory'
import { systemClock } from '../clock-system/clock-system.ts'
import { explainedError } from './data-folder-problem.ts'
import { DiskAvailability } from './disk-availability.ts'
import { startDiskSweep } from './disk-sweep.ts'
import type { LmdbCounters } from './lmdb-counters.ts'
import { makeLmdbLists } from './lmdb-lists.ts'
import { makeLmdbRecords } from './lmdb-records.ts'
import { makeLmdbSessions } from './lmdb-sessions.ts'
import { rejectNetworkFileSystem } from './network-file-system.ts'
import { lockDataFolder, openDatabase } from './open-database.ts'
import { openProcessCounters } from './quotas/process-counters.ts'
import { isExpired } from './session-record.ts'
import { openSharedCounters } from './shared/open-shared-counters.ts'
import { prepareCounters } from './shared/prepare-counters.ts'
import { isTextExpired } from './text-record.ts'

export { DataFolderProblem } from './data-folder-problem.ts'

export interface LmdbStoreOptions {
  /** Folder of the database; created if it does not exist. */
  readonly path: string
  /** Clock for lifetimes and periods. Default: the system clock. */
  readonly clock?: Clock
  /** Maximum bytes of cached responses; 0 disables the cache. Default: 64 MiB. */
  readonly responseBytes?: number
  /** Default: no log. */
  readonly log?: Log
  /** Set in each of several processes that share the folder, which `prepareSharedFolder` has prepared. */
  readonly worker?: LmdbWorker | undefined
}

export interface LmdbWorker {
  /** Number of the quota log. No other living process may use it. */
  readonly slot: number
  /** Whether this worker removes expired records; one of them should. */
  readonly sweeps: boolean
}

export interface LmdbStore extends Store {
  /** Resolves when all quota writes so far are on disk. Changes of the last half second may not have been written yet. */
  settled(): Promise<void>
  /** For metrics: whether the disk accepts writes, and since the start rejected writes and outages. */
  counts(): { readonly up: boolean; readonly rejected: number; readonly outages: number }
}

/**
 * Opens the store in its folder. Rejects with `DataFolderProblem`, whose message contains the folder and a fix, if the
 * folder is not writable, is in use by another process, or contains other data.
 */
export async function makeLmdbStore({
  path,
  clock = systemClock,
  responseBytes,
  log = silentLog,
  worker,
}: LmdbStoreOptions): Promise<LmdbStore> {
  const probe = () => Promise.all([database.probe(), quotas.probe()]).then(() => {})
  const disk = new DiskAvailability({ folder: path, clock, log, probe })
  const database = openDatabase(path, (write) => disk.write(write), worker !== undefined)
  let quotas: LmdbCounters
  try {
    const { folder } = database
    const parts = { folder, clock, disk }
    quotas = worker === undefined ? await openProcessCounters(parts) : openSharedCounters(parts, worker.slot)
  } catch (error) {
    await database.close()
    throw explainedError(database.folder, error)
  }
  const swept = [
    { table: database.sessions, isOver: isExpired },
    { table: database.organisations, isOver: isExpired },
    { table: database.records, isOver: isTextExpired },
    ...quotas.swept,
  ]
  const stopSweep = worker === undefined || worker.sweeps ? startDiskSweep(clock, swept) : () => {}
  let closing: Promise<void> | undefined
  return {
    sessions: makeLmdbSessions(database.sessions, clock),
    organisations: makeLmdbSessions(database.organisations, clock),
    counters: quotas.counters,
    responses: makeMemoryResponses({ clock, ...(responseBytes === undefined ? {} : { maxBytes: responseBytes }) }),
    records: { ...makeLmdbRecords(database.records, clock), ...makeLmdbLists(database.lists, clock) },
    async check(): Promise<StoreHealth> {
      const problem = quotas.problem()
      return problem === undefined ? disk.health() : { ok: false, reason: `cannot write to disk: ${problem}` }
    },
    counts: () => ({ up: disk.health().ok, rejected: disk.rejected, outages: disk.outages }),
    close() {
      closing ??= closeAll()
      return closing
    },
    settled: quotas.settled,
  } satisfies LmdbStore

  async function closeAll(): Promise<void> {
    disk.close()
    stopSweep()
    await quotas.close().finally(() => database.close())
  }
}

/**
 * Locks the folder and prepares the counters for stores with `worker`. Returns the function that unlocks it. Rejects with
 * `DataFolderProblem`.
 */
export async function prepareSharedFolder({
  path,
  clock = systemClock,
  log = silentLog,
}: LmdbStoreOptions): Promise<() => void> {
  const folder = resolve(path)
  const unlock = lockDataFolder(folder)
  try {
    rejectNetworkFileSystem(folder)
    // Creates the database, so that workers do not create it concurrently.
    await openDatabase(folder, (write) => write(), true).close()
    await prepareCounters(folder, clock, log)
    return unlock
  } catch (error) {
    unlock()
    throw explainedError(folder, error)
  }
}
