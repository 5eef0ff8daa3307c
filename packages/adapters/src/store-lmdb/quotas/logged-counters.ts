/**
 * Counters in memory whose quotas are stored on disk: the store reads all of them when it is opened, and writes changed
 * ones at most a second late. Rate windows are in memory alone.
 */
import { type Clock, type CounterStore, makeMemoryCounters, type QuotaState } from '@turnpike/core'
import { unpackBatch } from './quota-batch.ts'
import { openQuotaLog } from './quota-log.ts'
import { type QuotaWriter, startQuotaWriter } from './quota-writer.ts'

export interface LoggedCounters {
  readonly counters: CounterStore
  readonly writer: QuotaWriter
  /** Resolves when all writes so far are on disk. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Makes counters with the quota log in this folder. Throws errors of the file system. */
export function makeLoggedCounters(folder: string, clock: Clock): LoggedCounters {
  const memory = makeMemoryCounters({ clock, onQuotaChange: (key, state) => writer.note(key, state) })
  const restore = (key: string, state: QuotaState) => memory.restoreQuota(key, state)
  const log = openQuotaLog(folder, clock, (blob) => unpackBatch(blob, restore))
  const writer = startQuotaWriter(log, clock, memory)
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
