/**
 * Writes changed quotas half a second after the first change. A write that runs or fails delays the next one, so a crash
 * loses the changes of half a second and of the writes that did not complete.
 */
import type { Cancel, Clock, QuotaState } from '@turnpike/core'
import { batchesOf, packBatch, type QuotaBatch } from './quota-batch.ts'
import type { QuotaLog, QuotaSource } from './quota-log.ts'

const delayMs = 500

export interface QuotaWriter {
  /** Marks a quota as changed. Its state is read when it is written. */
  note(key: string, state: QuotaState): void
  /** Writes pending changes. Resolves when they are on disk; rejects if they could not be written. */
  flush(): Promise<void>
  /** Why the last write failed; `undefined` if it succeeded. */
  readonly problem: string | undefined
  close(): Promise<void>
}

/** Starts the writer. `source` provides all quotas when the log is rewritten. */
export function startQuotaWriter(log: QuotaLog, clock: Clock, source: QuotaSource): QuotaWriter {
  let changed = new Map<string, QuotaState>()
  let planned: Cancel | undefined
  let running: Promise<void> | undefined
  let shortening: Promise<void> | undefined
  let problem: string | undefined
  let closed = false

  const plan = () => {
    if (planned !== undefined || closed) return
    planned = clock.after(delayMs, () => {
      planned = undefined
      // After a failure the quotas stay marked and `problem` has the reason; the next round tries again.
      flush().then(shorten, () => {})
    })
  }

  const shorten = () => {
    // A failure leaves a log that is longer than necessary; the next round tries again.
    shortening = log.shorten(source, flush).catch(() => {})
  }

  /** Writes the changes so far. Changes during the write are left to the next one; otherwise it might never end. */
  const write = async (): Promise<void> => {
    const taken = changed
    changed = new Map()
    const pending: Promise<void>[] = []
    const problems: unknown[] = []
    for (const batch of batchesOf(taken)) {
      if (pending.length > 0) await clock.breathe()
      pending.push(append(batch, problems))
    }
    await Promise.all(pending)
    const [first] = problems
    problem = first === undefined ? undefined : messageOf(first)
    if (changed.size > 0) plan()
    if (first !== undefined) throw first
  }

  const append = async (batch: QuotaBatch, problems: unknown[]): Promise<void> => {
    try {
      await log.append(packBatch(batch))
    } catch (error) {
      for (const [key, state] of batch) if (!changed.has(key)) changed.set(key, state)
      problems.push(error)
    }
  }

  // One write at a time. A call during a write starts the next one, which includes the caller's changes.
  const flush = async (): Promise<void> => {
    while (running !== undefined) await running.catch(() => {})
    if (changed.size === 0) return
    running = write().finally(() => {
      running = undefined
    })
    await running
  }

  return {
    note(key, state) {
      changed.set(key, state)
      plan()
    },
    flush,
    get problem() {
      return problem
    },
    async close() {
      closed = true
      planned?.()
      log.stop()
      try {
        await flush()
      } finally {
        await shortening
      }
    },
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
