/**
 * The quotas on disk: a log of batches in numbered files (`quotas-000001.log`, …). Later entries replace earlier ones.
 * With a million active keys, a database record per counter would cost a page per write. Measured per changed counter: an
 * append costs 2.5 µs, an LMDB put 8 µs.
 *
 * When the log has tripled, all quotas are written to the next file in batches, between other writes, and then the old
 * files are removed. A crash in between leaves old and new files, which give the right quotas when read in order.
 * `quota-writer.ts` decides when changes are appended, and so what a crash loses.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@turnpike/core/ports'
import { removeDurably } from '../../durable-file/durable-file.ts'
import { LogFile, readLogFile } from './log-file.ts'
import { batchesOf, type LoggedQuota, packBatch } from './quota-batch.ts'

/** All quotas, with the keys of their counters. */
export interface QuotaSource {
  quotas(): Iterable<readonly [key: string, state: LoggedQuota]>
  /** Number of counters. */
  readonly size: number
}

/** A shorter log is not rewritten. */
const shortBytes = 8 * 2 ** 20
/** Estimated minimum size of a counter. A log with three times this size per counter is rewritten. */
const counterBytes = 48
/** Number of batches that are written concurrently. */
const batchesAtOnce = 16

interface Waiting {
  readonly blob: Uint8Array
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

export class QuotaLog {
  private readonly folder: string
  private readonly clock: Clock
  /** Numbers of the files, the oldest first. */
  private numbers: number[]
  private nextNumber: number
  /** The file for appends; the first append opens it. */
  private file: LogFile | undefined = undefined
  /** Offset at which the last file continues; `undefined`: it is damaged, so a new file is started. */
  private end: number | undefined = undefined
  /** Total bytes now, and after the last rewrite. */
  private bytes = 0
  private bytesAfterRewrite = 0
  private isStopped = false
  private waiting: Waiting[] = []
  private writing: Promise<void> | undefined = undefined
  private rewriting: Promise<void> | undefined = undefined

  /** Opens the log of a folder and calls `onBlob` with each blob in order. */
  constructor(folder: string, clock: Clock, onBlob: (blob: Uint8Array) => void) {
    this.folder = folder
    this.clock = clock
    this.numbers = numbersIn(folder)
    this.nextNumber = (this.numbers.at(-1) ?? 0) + 1
    for (const number of this.numbers) {
      const read = readLogFile(this.pathOf(number), onBlob)
      this.end = read.isWhole ? read.end : undefined
      this.bytes += read.end
    }
  }

  /** Resolves when the blob is on disk; rejects if it could not be written. */
  append(blob: Uint8Array): Promise<void> {
    if (blob.length === 0) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.waiting.push({ blob, resolve, reject })
      this.writing ??= this.writeWaiting()
    })
  }

  /**
   * Rewrites the log if it has tripled; `writeChanges` writes what has changed during the rewrite, before the old files
   * are removed. Resolves when that is done or was aborted by `stop`.
   */
  shorten(source: QuotaSource, writeChanges: () => Promise<void>): Promise<void> {
    if (this.rewriting !== undefined) return this.rewriting
    const needed = Math.max(this.bytesAfterRewrite, source.size * counterBytes)
    if (this.isStopped || this.bytes <= Math.max(shortBytes, needed * 3)) return Promise.resolve()
    this.rewriting = this.rewrite(source, writeChanges).finally(() => {
      this.rewriting = undefined
    })
    return this.rewriting
  }

  /** Aborts the rewrite. */
  stop(): void {
    this.isStopped = true
  }

  /** Resolves when all appends have settled. */
  async settled(): Promise<void> {
    while (this.writing !== undefined) await this.writing
  }

  /** Closes the file after all appends have settled. */
  async close(): Promise<void> {
    await this.settled()
    await this.closeFile()
  }

  /** Writes all waiting blobs together, until none is waiting. */
  private async writeWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      const taken = this.waiting
      this.waiting = []
      try {
        this.file ??= await this.openFile()
        this.bytes += await this.file.append(taken.map(({ blob }) => blob))
        for (const { resolve } of taken) resolve()
      } catch (error) {
        for (const { reject } of taken) reject(error)
      }
    }
    this.writing = undefined
  }

  private async openFile(): Promise<LogFile> {
    const last = this.numbers.at(-1)
    if (last !== undefined && this.end !== undefined) return LogFile.open(this.pathOf(last), this.end)
    const made = await LogFile.open(this.pathOf(this.nextNumber))
    this.numbers.push(this.nextNumber++)
    return made
  }

  private async closeFile(): Promise<void> {
    const closing = this.file
    this.file = undefined
    this.end = undefined
    await closing?.close()
  }

  private async rewrite(source: QuotaSource, writeChanges: () => Promise<void>): Promise<void> {
    // A loop instead of `settled`: no write may start between the last check and the following lines.
    while (this.writing !== undefined) await this.writing
    const before = this.numbers
    const bytesBefore = this.bytes
    this.numbers = []
    try {
      await this.closeFile()
      await this.appendAll(source)
      await writeChanges()
      if (this.isStopped) return
      // The oldest first. If the entry of a reset were removed before the older count, a crash would restore that count.
      for (let oldest = before[0]; oldest !== undefined; oldest = before[0]) {
        await removeDurably(this.pathOf(oldest))
        before.shift()
      }
      this.bytes -= bytesBefore
      this.bytesAfterRewrite = this.bytes
    } finally {
      this.numbers = [...before, ...this.numbers]
    }
  }

  private async appendAll(source: QuotaSource): Promise<void> {
    const pending: Promise<void>[] = []
    const problems: unknown[] = []
    for (const batch of batchesOf(source.quotas())) {
      pending.push(this.append(packBatch(batch)).catch((error) => void problems.push(error)))
      if (pending.length === batchesAtOnce) await Promise.all(pending.splice(0))
      await this.clock.breathe()
      if (this.isStopped || problems.length > 0) break
    }
    await Promise.all(pending)
    if (problems.length > 0) throw problems[0]
  }

  private pathOf(number: number): string {
    return join(this.folder, fileOf(number))
  }
}

/** Returns true if the folder has a log. */
export function hasQuotaLog(folder: string): boolean {
  return numbersIn(folder).length > 0
}

/** Removes the log of a folder, the oldest file first. */
export function removeQuotaLog(folder: string): void {
  for (const number of numbersIn(folder)) rmSync(join(folder, fileOf(number)))
}

const fileOf = (number: number) => `quotas-${String(number).padStart(6, '0')}.log`

/** Numbers of the files in a folder, the oldest first. */
function numbersIn(folder: string): number[] {
  const found = readdirSync(folder).map((name) => Number(/^quotas-(\d+)\.log$/.exec(name)?.[1] ?? 0))
  return found.filter((number) => number > 0).sort((a, b) => a - b)
}
