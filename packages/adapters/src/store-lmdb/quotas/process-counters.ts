/**
 * The counters of a data folder that one process uses: in memory. Quotas are loaded from the log at start and usually
 * written to it half a second late (`quota-writer.ts`). Rate windows are only in memory.
 */
import type { QuotaState } from '@turnpike/core/ports'
import { makeMemoryCounters } from '@turnpike/core/store-memory'
import { explained } from '../data-folder-problem.ts'
import type { CountersParts, LmdbCounters } from '../lmdb-counters.ts'
import { hasSharedCounters, removeSharedCounters } from '../shared/prepare-counters.ts'
import { readAllLogs } from '../shared/quota-logs.ts'
import { openQuotaWriter } from './open-quota-writer.ts'
import { unpackBatch } from './quota-batch.ts'
import { QuotaLog } from './quota-log.ts'
import type { QuotaWriter } from './quota-writer.ts'

export async function openProcessCounters({ folder, clock, disk }: CountersParts): Promise<LmdbCounters> {
  const memory = makeMemoryCounters({ clock, onQuotaChange: (key, state) => writer.note(key, state) })
  const restore = (key: string, state: QuotaState) => memory.restoreQuota(key, state)
  const log = explained(folder, () => new QuotaLog(folder, clock, (blob) => unpackBatch(blob, restore)))
  const writer: QuotaWriter = openQuotaWriter(log, memory, { clock, disk })
  if (hasSharedCounters(folder)) {
    for (const [key, state] of readAllLogs(folder, clock)) restore(key, state)
    for (const [key, state] of memory.quotas()) writer.note(key, state)
    await writer.flush()
    removeSharedCounters(folder)
  }
  return {
    counters: memory,
    swept: [],
    probe: () => writer.flush(),
    problem: () => writer.problem,
    settled: () => log.settled(),
    async close() {
      memory.close()
      await writer.close().finally(() => log.close())
    },
  }
}
