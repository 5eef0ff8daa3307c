/**
 * Writes changed quota counters behind, in batches: half a second after the first change, so that a crash forgets
 * less than a second even when the disk takes its time.
 */
import type { Cancel, Clock, QuotaState } from '@turnpike/core'
import { keyOfName } from './name-key.ts'
import type { Table } from './open-database.ts'
import { packQuota } from './quota-record.ts'

const delayMs = 500
/** Counters handed over in one go, which holds the event loop for a few milliseconds at most. */
const batchSize = 1000

export interface QuotaWriter {
  /** The counter has changed. */
  note(name: string): void
  /** Writes what is pending; resolves when the disk has it, rejects when it could not take it. */
  flush(): Promise<void>
  /** Why the last write failed; `undefined` while all is well. */
  readonly problem: string | undefined
  close(): Promise<void>
}

/**
 * Starts the writer. `stateOf` gives what is to be kept of a counter, `undefined` when nothing is; `onForgotten`
 * hears of names that are neither in memory nor on disk any more.
 */
export function startQuotaWriter(
  table: Table,
  clock: Clock,
  stateOf: (name: string) => QuotaState | undefined,
  onForgotten: (name: string) => void,
): QuotaWriter {
  let changed = new Set<string>()
  let planned: Cancel | undefined
  let running: Promise<void> | undefined
  let problem: string | undefined
  let closed = false

  const plan = () => {
    if (planned !== undefined || closed) return
    planned = clock.after(delayMs, () => {
      planned = undefined
      // A failure is kept in `problem` and its counters stay noted: the next round tries again.
      flush().catch(() => {})
    })
  }

  const writeBatch = async (names: readonly string[]): Promise<void> => {
    const forgotten: string[] = []
    const changes: [Buffer, Buffer | undefined][] = []
    for (const name of names) {
      const state = stateOf(name)
      changes.push([keyOfName(name), state && packQuota(state)])
      if (state === undefined) forgotten.push(name)
    }
    await table.enqueue(changes)
    for (const name of forgotten) if (!changed.has(name) && stateOf(name) === undefined) onForgotten(name)
  }

  const writeAll = async (): Promise<void> => {
    const names = [...changed]
    changed = new Set()
    let done = 0
    try {
      for (; done < names.length; done += batchSize) {
        if (done > 0) await clock.breathe()
        await writeBatch(names.slice(done, done + batchSize))
      }
      problem = undefined
    } catch (error) {
      for (const name of names.slice(done)) changed.add(name)
      problem = error instanceof Error ? error.message : String(error)
      throw error
    } finally {
      if (changed.size > 0) plan()
    }
  }

  // One at a time; who asks while one runs gets the next one, which has his changes too.
  const flush = async (): Promise<void> => {
    while (running !== undefined) await running.catch(() => {})
    if (changed.size === 0) return
    running = writeAll().finally(() => {
      running = undefined
    })
    await running
  }

  return {
    note(name) {
      changed.add(name)
      if (planned === undefined) plan()
    },
    flush,
    get problem() {
      return problem
    },
    async close() {
      closed = true
      planned?.()
      await flush()
    },
  }
}
