/** The counters of a data folder that several processes use, in each of them. `prepareCounters` has prepared the folder. */
import { decodeCounter, keptAfterEndMs } from '@turnpike/core/store-memory'
import type { CountersParts, LmdbCounters } from '../lmdb-counters.ts'
import { isHashedKey, nameOfKey } from '../name-key.ts'
import { asDiskError, type GuardWrite, makeTable, type Table } from '../open-database.ts'
import { openQuotaWriter } from '../quotas/open-quota-writer.ts'
import type { QuotaSource } from '../quotas/quota-log.ts'
import { type CountersDatabase, isCounterKey, openCountersDatabase, readNumber } from './counters-environment.ts'
import { openSlotLog } from './quota-logs.ts'
import { isResetMark, makeSharedCounters } from './shared-counters.ts'

/** `slot`: number of this process's log. */
export function openSharedCounters({ folder, clock, disk }: CountersParts, slot: number): LmdbCounters {
  const database = openCountersDatabase(folder)
  const guard: GuardWrite = (write) => disk.write(() => withDiskErrors(write))
  const table = makeTable(database, database, guard, true)
  const log = openSlotLog(folder, slot, clock)
  const writer = openQuotaWriter(log, sourceOf(database, table), { clock, disk })
  const counters = makeSharedCounters({
    database,
    clock,
    guard,
    onQuotaChange: (key, state) => writer.note(key, state),
  })
  return {
    counters,
    swept: [{ table, isOver: (record, now) => isOver(record, now) }],
    async probe() {
      await withDiskErrors(async () => {
        database.transactionSync(() => {
          void database.put(probeKey, probeValue)
          void database.remove(probeKey)
        })
      })
      await writer.flush()
    },
    problem: () => writer.problem,
    async settled() {
      await counters.settled()
      await log.settled()
    },
    async close() {
      await counters.settled()
      await writer
        .close()
        .finally(() => log.close())
        .finally(() => database.close())
    },
  }
}

async function withDiskErrors<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw await asDiskError(error)
  }
}

const probeKey = Buffer.from('\0probe')
const probeValue = Buffer.alloc(64 * 1024)

/** The record of the transaction number is shorter than a counter. */
const numberBytes = 8

function isOver(record: Buffer, now: number): boolean {
  if (record.length === numberBytes) return false
  const state = decodeCounter(record)
  return !isResetMark(state) && state.isOver(now - keptAfterEndMs)
}

const sliceSize = 500

/** All quotas, for a rewrite of the log. A rewrite breathes between two batches, so each slice is a read of its own. */
function sourceOf(database: CountersDatabase, table: Table): QuotaSource {
  return {
    get size() {
      return (database.getStats() as { readonly entryCount: number }).entryCount
    },
    *quotas() {
      for (let next: Buffer | undefined = Buffer.from([1]); next !== undefined; ) {
        // Read before the slice: an entry with a number that is too low loses against the change in the log of its worker.
        const number = readNumber(database)
        const slice = table.slice(next, undefined, sliceSize)
        for (const { key, value } of slice.records) {
          const { used, renewsAt } = decodeCounter(value)
          // A name that is too long for a key is not in the record, so its quota is rewritten only when it changes.
          if (!isCounterKey(key) || isHashedKey(key) || (used === 0 && renewsAt === undefined)) continue
          yield [nameOfKey(key), { used, renewsAt, number }]
        }
        next = slice.next
      }
    },
  }
}
