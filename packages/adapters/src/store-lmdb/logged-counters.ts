/**
 * Counters in memory whose quotas are kept on disk: all of them are read when the store is opened, and written behind,
 * at most a second late. Rate windows live in memory alone.
 */
import { randomBytes } from 'node:crypto'
import { type Clock, type CounterStore, type KeyRows, makeMemoryCounters } from '@turnpike/core'
import type { Table } from './open-database.ts'
import { openQuotaLog } from './quota-log.ts'
import { type QuotaWriter, startQuotaWriter } from './quota-writer.ts'

export interface LoggedCounters {
  readonly counters: CounterStore
  readonly writer: QuotaWriter
  close(): Promise<void>
}

/** Makes the counters of a store over its log of quotas; those of keys that have rows lie there. */
export function makeLoggedCounters(table: Table, clock: Clock, keyRows: KeyRows): LoggedCounters {
  const seed = randomBytes(4).readInt32BE()
  const memory = makeMemoryCounters({ clock, seed, keyRows, onQuotaChanged: () => writer.note() })
  const now = clock.now()
  // A blob that is broken in the middle tells what it can.
  const log = openQuotaLog(table, clock, (blob) => memory.quotas.putBack(blob, now))
  const writer = startQuotaWriter(log, clock, memory.quotas)
  return {
    counters: memory,
    writer,
    async close() {
      memory.close()
      await writer.close()
    },
  }
}
