/**
 * Takes off the disk what is over: sessions and records past their lifetime. Slowly, a slice at a time; nobody
 * relies on it, since everything is checked for its end when it is read.
 */
import type { Cancel, Clock, Millis } from '@turnpike/core'
import type { Table } from './open-database.ts'

const sliceSize = 500
const pauseBetweenSlicesMs = 50
const pauseBetweenRoundsMs = 600_000

/** A table to sweep, and what is over in it. */
export interface Swept {
  readonly table: Table
  readonly isOver: (record: Buffer, now: Millis) => boolean
}

/** Sweeps the tables one after the other, every ten minutes, until it is taken back. */
export function startDiskSweep(clock: Clock, tables: readonly Swept[]): Cancel {
  let stopped = false
  let cancel: Cancel = clock.after(pauseBetweenRoundsMs, () => round(0, Buffer.from([0])))

  function round(index: number, from: Buffer): void {
    const swept = tables[index]
    if (swept === undefined) {
      cancel = clock.after(pauseBetweenRoundsMs, () => round(0, Buffer.from([0])))
      return
    }
    // What could not be removed now can be in the next round.
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
        // Looked at again: a write that was under way may have renewed it.
        const record = table.get(key)
        if (record === undefined || !isOver(record, now)) continue
        table.remove(key)
      }
    })
  }
  return next
}
