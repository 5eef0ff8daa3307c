/**
 * Reads all sessions into the index of outlines after the store was opened: a slice at a time, with pauses that are
 * long where others want the event loop, so that neither a start nor a request waits for the number of keys.
 */
import type { Cancel, Clock } from '@turnpike/core'
import { isHashedKey, nameOfKey } from './name-key.ts'
import type { Table } from './open-database.ts'
import type { OutlineIndex } from './outline-index.ts'

/** Just under a millisecond's work. */
const sliceSize = 250
/** Others have work to do when a turn of the event loop takes longer. */
const idleTurnMs = 0.25
/** Then so much time is theirs for each slice of ours. */
const pauseMs = 5

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
      const slice: ReturnType<Table['keys']> = table.keys(from, sliceSize)
      for (const key of slice.keys) if (!isHashedKey(key)) learn(nameOfKey(key))
      from = slice.next
      const turn = performance.now()
      await clock.breathe()
      if (performance.now() - turn > idleTurnMs && !stopped) await pause()
    }
  }

  const learn = (name: string): void => {
    const length = table.peek(name)
    if (length >= 0) index.learn(name, table.peeked, length)
  }

  void fill().catch(() => {
    // A record that cannot be read is told to whoever asks for it.
  })
  return () => {
    stopped = true
    cancel()
  }
}
