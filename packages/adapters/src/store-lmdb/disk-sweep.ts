/**
 * Removes expired sessions and records from the disk, one slice at a time. Reads check the expiry themselves, so
 * correctness does not depend on the sweep.
 */
import type { Millis } from '@turnpike/core/lib'
import type { Cancel, Clock } from '@turnpike/core/ports'
import type { Table } from './open-database.ts'

const sliceSize = 500
const pauseBetweenSlicesMs = 50
const pauseBetweenRoundsMs = 600_000

/** A table to sweep, and the test for expired records in it. */
export interface Swept {
  readonly table: Table
  readonly isOver: (record: Buffer, now: Millis) => boolean
}

/** Sweeps the tables one after the other, every ten minutes, until the returned function is called. */
export function startDiskSweep(clock: Clock, tables: readonly Swept[]): Cancel {
  let stopped = false
  let cancel: Cancel = clock.after(pauseBetweenRoundsMs, () => round(0, Buffer.from([0])))

  function round(index: number, from: Buffer): void {
    const swept = tables[index]
    if (swept === undefined) {
      cancel = clock.after(pauseBetweenRoundsMs, () => round(0, Buffer.from([0])))
      return
    }
    // A failed removal is repeated in the next round.
    sweepSlice(swept, from, clock).then(
      (next) => goOn(index, next),
      () => goOn(index + 1, undefined),
    )
  }

  function goOn(index: number, next: Buffer | undefined): void {
    if (stopped) return
    const [table, from] = next === undefined ? [index + 1, Buffer.from([0])] : [index, next]
    cancel = clock.after(pauseBetweenSlicesMs, () => round(table, from))
  }

  return () => {
    stopped = true
    cancel()
  }
}

async function sweepSlice({ table, isOver }: Swept, from: Buffer, clock: Clock): Promise<Buffer | undefined> {
  const { records, next } = table.slice(from, undefined, sliceSize)
  const now = clock.now()
  const over = records.filter(({ value }) => isOver(value, now))
  if (over.length > 0) {
    await table.write(() => {
      for (const { key } of over) {
        // Checked again in the transaction, because a concurrent write may have renewed the record.
        const record = table.get(key)
        if (record === undefined || !isOver(record, now)) continue
        table.remove(key)
      }
    })
  }
  return next
}
