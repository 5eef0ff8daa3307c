/**
 * The store of a single node: LMDB in a folder, for one process. Sessions, records and lists are on disk before a write
 * settles, and reads return values instead of promises. Quota counters are in memory, are loaded from a log next to the
 * database at start, and are usually written to it half a second late (`quotas/quota-writer.ts`). Rate windows and cached
 * responses are only in memory.
 */
import { type Clock, type Log, type QuotaState, type Store, type StoreHealth, silentLog } from '@turnpike/core/ports'
import { makeMemoryCounters, makeMemoryResponses } from '@turnpike/core/store-memory'
import { systemClock } from '../clock-system/clock-system.ts'
import { explained } from './data-folder-problem.ts'
import { DiskAvailability } from './disk-availability.ts'
import { startDiskSweep } from './disk-sweep.ts'
import { makeLmdbLists } from './lmdb-lists.ts'
import { makeLmdbRecords } from './lmdb-records.ts'
import { makeLmdbSessions } from './lmdb-sessions.ts'
import { openDatabase } from './open-database.ts'
import { unpackBatch } from './quotas/quota-batch.ts'
import { QuotaLog } from './quotas/quota-log.ts'
import { QuotaWriter } from './quotas/quota-writer.ts'
import { isExpired } from './session-record.ts'
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
  log: gatewayLog = silentLog,
}: LmdbStoreOptions): Promise<LmdbStore> {
  const probe = () => Promise.all([database.probe(), quotas.writer.flush()]).then(() => {})
  const disk = new DiskAvailability({ folder: path, clock, log: gatewayLog, probe })
  const database = openDatabase(path, (write) => disk.write(write))
  let quotas: ReturnType<typeof openCounters>
  try {
    quotas = explained(database.folder, openCounters)
  } catch (error) {
    await database.close()
    throw error
  }
  const { memory, log, writer } = quotas
  const stopSweep = startDiskSweep(clock, [
    { table: database.sessions, isOver: isExpired },
    { table: database.organisations, isOver: isExpired },
    { table: database.records, isOver: isTextExpired },
  ])
  let closing: Promise<void> | undefined
  return {
    sessions: makeLmdbSessions(database.sessions, clock),
    organisations: makeLmdbSessions(database.organisations, clock),
    counters: memory,
    responses: makeMemoryResponses({ clock, ...(responseBytes === undefined ? {} : { maxBytes: responseBytes }) }),
    records: { ...makeLmdbRecords(database.records, clock), ...makeLmdbLists(database.lists, clock) },
    async check(): Promise<StoreHealth> {
      const { problem } = writer
      return problem === undefined ? disk.health() : { ok: false, reason: `cannot write to disk: ${problem}` }
    },
    counts: () => ({ up: disk.health().ok, rejected: disk.rejected, outages: disk.outages }),
    close() {
      closing ??= closeAll()
      return closing
    },
    settled: () => log.settled(),
  } satisfies LmdbStore

  /** Counters in memory whose quotas are read from the log now, and usually written to it half a second late. */
  function openCounters() {
    const memory = makeMemoryCounters({ clock, onQuotaChange: (key, state) => writer.note(key, state) })
    const restore = (key: string, state: QuotaState) => memory.restoreQuota(key, state)
    const log = new QuotaLog(database.folder, clock, (blob) => unpackBatch(blob, restore))
    const append = (blob: Uint8Array) =>
      log.append(blob).catch((error: Error) => {
        disk.markUnavailable(error)
        throw error
      })
    const shorten: QuotaLog['shorten'] = (...options) => log.shorten(...options)
    const writer = new QuotaWriter({ append, shorten, stop: () => log.stop() }, clock, memory)
    return { memory, log, writer }
  }

  async function closeAll(): Promise<void> {
    disk.close()
    stopSweep()
    memory.close()
    try {
      await writer.close()
    } finally {
      await log.close().finally(() => database.close())
    }
  }
}
