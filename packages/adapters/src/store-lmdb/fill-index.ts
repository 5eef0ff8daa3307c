/**
 * Reads all sessions into the index of outlines after the store was opened: at full speed while nobody else wants the
 * event loop, else a slice now and then, so that a start is not slowed by the number of keys.
 */
import type { Cancel, Clock } from '@turnpike/core'
import { isHashedKey, nameOfKey } from './name-key.ts'
import type { Table } from './open-database.ts'
import type { OutlineIndex } from './outline-index.ts'

/** Half a millisecond's work. */
const sliceSize = 200
/** Others had work to do when a turn of the event loop takes more time of a processor. */
const idleTurnMicros = 300
const pauseMs = 20

/** Fills the index until all is read or it is taken back. */
export function fillIndex(table: Table, index: OutlineIndex, clock: Clock): Cancel {
  let stopped = false
  let cancel: Cancel = () => {}

  const pause = () =>
    new Promise<void>((resolve) => {
      cancel = clock.after(pauseMs, resolve)
    })

  const fill = async (): Promise<void> => {
    for (let from: Buffer | undefined = Buffer.from([0]); from !== undefined && !stopped; ) {
      const slice: ReturnType<Table['slice']> = table.slice(from, undefined, sliceSize)
      // What the database cannot name is left to it.
      for (const { key, value } of slice.records) {
        if (!isHashedKey(key)) index.learn(nameOfKey(key), value, value.length)
      }
      from = slice.next
      const before = process.cpuUsage()
      await clock.breathe()
      const { user, system } = process.cpuUsage(before)
      if (user + system > idleTurnMicros && !stopped) await pause()
    }
  }

  void fill().catch(() => {
    // A record that cannot be read is told to whoever asks for it.
  })
  return () => {
    stopped = true
    cancel()
  }
}
