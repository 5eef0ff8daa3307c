/**
 * Writes changed quota counters behind: half a second after the first change, so that a crash forgets less than a
 * second even when the disk takes its time.
 */
import type { Cancel, Clock } from '@turnpike/core'
import type { QuotaLog, QuotaSource } from './quota-log.ts'

const delayMs = 500

/** Counters that know which of them changed: `QuotaTable` of core. */
export interface ChangingQuotas extends QuotaSource {
  readonly changes: number
  takeChanges(): readonly Uint8Array[]
  giveBack(blob: Uint8Array): void
}

export interface QuotaWriter {
  /** Something has changed. */
  note(): void
  /** Writes what is pending; resolves when the disk has it, rejects when it could not take it. */
  flush(): Promise<void>
  /** Why the last write failed; `undefined` while all is well. */
  readonly problem: string | undefined
  close(): Promise<void>
}

/** Starts the writer. */
export function startQuotaWriter(log: QuotaLog, clock: Clock, quotas: ChangingQuotas): QuotaWriter {
  let planned: Cancel | undefined
  let running: Promise<void> | undefined
  let shortening: Promise<void> | undefined
  let problem: string | undefined
  let closed = false

  const note = () => {
    if (planned !== undefined || closed) return
    planned = clock.after(delayMs, () => {
      planned = undefined
      // A failure is kept in `problem` and its counters stay noted: the next round tries again.
      flush().then(shorten, () => {})
    })
  }

  const shorten = () => {
    // What fails leaves a log that is longer than it need be; the next round tries again.
    shortening = log.shorten(quotas, flush).catch(() => {})
  }

  /** Writes what has changed by now; what changes while it runs is for the next time, or there would be no end. */
  const write = async (): Promise<void> => {
    const pending: Promise<void>[] = []
    const problems: unknown[] = []
    for (const blob of quotas.takeChanges()) {
      if (pending.length > 0) await clock.breathe()
      pending.push(append(blob, problems))
    }
    await Promise.all(pending)
    const [first] = problems
    problem = first === undefined ? undefined : messageOf(first)
    if (quotas.changes > 0) note()
    if (first !== undefined) throw first
  }

  const append = async (blob: Uint8Array, problems: unknown[]): Promise<void> => {
    try {
      await log.append(blob)
      quotas.reuse(blob)
    } catch (error) {
      quotas.giveBack(blob)
      problems.push(error)
    }
  }

  // One at a time; who asks while one runs gets the next one, which has his changes too.
  const flush = async (): Promise<void> => {
    while (running !== undefined) await running.catch(() => {})
    if (quotas.changes === 0) return
    running = write().finally(() => {
      running = undefined
    })
    await running
  }

  return {
    note,
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
