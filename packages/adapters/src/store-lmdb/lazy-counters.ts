/**
 * Counters in memory whose quotas are kept on disk: a quota is read at its first use and written behind, at most a
 * second late. Rate windows live in memory alone.
 */
import { type Clock, type CounterStore, makeMemoryCounters } from '@turnpike/core'
import { keyOfName } from './name-key.ts'
import type { Table } from './open-database.ts'
import { unpackQuota } from './quota-record.ts'
import { type QuotaWriter, startQuotaWriter } from './quota-writer.ts'

export interface LazyCounters {
  readonly counters: CounterStore
  readonly writer: QuotaWriter
  close(): Promise<void>
}

/** Makes the counters of a store over its table of quotas. */
export function makeLazyCounters(table: Table, clock: Clock): LazyCounters {
  // Names whose state in memory is the newest there is. The others may have one on disk.
  const known = new Set<string>()
  const memory = makeMemoryCounters({ clock, onQuotaChanged: (name) => writer.note(name) })
  const writer = startQuotaWriter(table, clock, memory.exportQuota, (name) => known.delete(name))

  const fetch = (name: string): void => {
    const record = table.get(keyOfName(name))
    if (record === undefined) return
    memory.importQuota(name, unpackQuota(record))
    known.add(name)
  }

  const counters: CounterStore = {
    spend(name, limit, amount) {
      if (!known.has(name)) {
        fetch(name)
        // Who only looks leaves no trace: else every name ever asked for would be remembered.
        if (amount > 0) known.add(name)
      }
      return memory.spend(name, limit, amount)
    },
    readQuota(name) {
      if (!known.has(name)) fetch(name)
      return memory.readQuota(name)
    },
    resetQuotas(names) {
      memory.resetQuotas(names)
      for (const name of names) {
        known.add(name)
        writer.note(name)
      }
    },
    take: memory.take,
    clearMarks: memory.clearMarks,
  }
  return {
    counters,
    writer,
    async close() {
      memory.close()
      await writer.close()
    },
  }
}
