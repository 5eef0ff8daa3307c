/**
 * Counters in memory whose quotas are kept on disk: all of them are read when the store is opened, and written behind,
 * at most a second late. Rate windows live in memory alone.
 */
import { randomBytes } from 'node:crypto'
import { type Clock, type CounterStore, type KeyRows, makeMemoryCounters } from '@turnpike/core'
import { openQuotaLog } from './quota-log.ts'
import { type QuotaWriter, startQuotaWriter } from './quota-writer.ts'

export interface LoggedCounters {
  readonly counters: CounterStore
  readonly writer: QuotaWriter
  /** Resolves when the disk has what it was given by now. */
  settled(): Promise<void>
  close(): Promise<void>
}

/**
 * Makes the counters of a store over the log of quotas in its folder; those of keys that have rows lie there. Throws what
 * the file system throws.
 */
export function makeLoggedCounters(folder: string, clock: Clock, keyRows: KeyRows): LoggedCounters {
  const seed = randomBytes(4).readInt32BE()
  const memory = makeMemoryCounters({ clock, seed, keyRows, onQuotaChanged: () => writer.note() })
  const now = clock.now()
  // A blob that is broken in the middle tells what it can.
  const log = openQuotaLog(folder, clock, (blob) => memory.quotas.putBack(blob, now))
  const writer = startQuotaWriter(log, clock, memory.quotas)
  return {
    counters: memory,
    writer,
    settled: log.settled,
    async close() {
      memory.close()
      try {
        await writer.close()
      } finally {
        await log.close()
      }
    },
  }
}
