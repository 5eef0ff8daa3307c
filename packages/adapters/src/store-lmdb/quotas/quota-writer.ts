/**
 * Writes changed quotas to the log of `quota-log.ts`, not to LMDB, half a second after the first change. A write that
 * is not finished delays the next one; changes whose write failed are written again half a second later. A crash loses
 * the changes that are not on disk yet.
 */
import type { Cancel, Clock } from '@turnpike/core/ports'
import { batchesOf, type LoggedQuota, packBatch, type QuotaBatch } from './quota-batch.ts'
import type { QuotaLog, QuotaSource } from './quota-log.ts'

const delayMs = 500

export class QuotaWriter {
  private readonly log: Pick<QuotaLog, 'append' | 'shorten' | 'stop'>
  private readonly clock: Clock
  private readonly source: QuotaSource
  private changed = new Map<string, LoggedQuota>()
  private planned: Cancel | undefined = undefined
  private writing: Promise<void> | undefined = undefined
  private shortening: Promise<void> | undefined = undefined
  private lastProblem: string | undefined = undefined
  private isClosed = false

  /** `source` provides all quotas when the log is rewritten. */
  constructor(log: Pick<QuotaLog, 'append' | 'shorten' | 'stop'>, clock: Clock, source: QuotaSource) {
    this.log = log
    this.clock = clock
    this.source = source
  }

  /** Why the last write failed; `undefined` if it succeeded. */
  get problem(): string | undefined {
    return this.lastProblem
  }

  /** Marks a quota as changed. Its state is read when it is written. */
  note(key: string, state: LoggedQuota): void {
    this.changed.set(key, state)
    this.plan()
  }

  /** Writes pending changes. Resolves when they are on disk; rejects if they could not be written. */
  async flush(): Promise<void> {
    // One write at a time. A call during a write starts the next one, which includes the caller's changes.
    while (this.writing !== undefined) await this.writing.catch(() => {})
    if (this.changed.size === 0) return
    this.writing = this.write().finally(() => {
      this.writing = undefined
    })
    await this.writing
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.planned?.()
    this.log.stop()
    try {
      await this.flush()
    } finally {
      await this.shortening
    }
  }

  private plan(): void {
    if (this.planned !== undefined || this.isClosed) return
    this.planned = this.clock.after(delayMs, () => {
      this.planned = undefined
      // After a failure the quotas stay marked and `problem` has the reason; the next round tries again.
      this.flush().then(
        () => this.shorten(),
        () => {},
      )
    })
  }

  private shorten(): void {
    // A failure leaves a log that is longer than necessary; the next round tries again.
    this.shortening = this.log.shorten(this.source, () => this.flush()).catch(() => {})
  }

  /** Writes the changes so far. Changes during the write are left to the next one; otherwise it might never end. */
  private async write(): Promise<void> {
    const taken = this.changed
    this.changed = new Map()
    const pending: Promise<void>[] = []
    const problems: unknown[] = []
    for (const batch of batchesOf(taken)) {
      if (pending.length > 0) await this.clock.breathe()
      pending.push(this.append(batch, problems))
    }
    await Promise.all(pending)
    const [first] = problems
    this.lastProblem = first === undefined ? undefined : messageOf(first)
    if (this.changed.size > 0) this.plan()
    if (first !== undefined) throw first
  }

  private async append(batch: QuotaBatch, problems: unknown[]): Promise<void> {
    try {
      await this.log.append(packBatch(batch))
    } catch (error) {
      for (const [key, state] of batch) if (!this.changed.has(key)) this.changed.set(key, state)
      problems.push(error)
    }
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
