/**
 * The quotas on disk: a log of batches in numbered files (`quotas-000001.log`, …). Later entries replace earlier ones.
 * With a million active keys, a database record per counter would cost a page per write: an append costs 2.5 µs per
 * changed counter, an LMDB put 8 µs.
 *
 * When the log has tripled, all quotas are written to the next file in batches, between other writes, and then the old
 * files are removed. A crash in between leaves both, which contain the same quotas.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock, QuotaState } from '@turnpike/core'
import { removeDurably } from '../../durable-file/durable-file.ts'
import { LogFile, readLogFile } from './log-file.ts'
import { batchesOf, packBatch } from './quota-batch.ts'

/** All quotas, with the keys of their counters; the memory counters of core. */
export interface QuotaSource {
  quotas(): Iterable<readonly [key: string, state: QuotaState]>
  /** Number of counters. */
  readonly size: number
}

export interface QuotaLog {
  /** Resolves when the blob is on disk; rejects if it could not be written. */
  append(blob: Uint8Array): Promise<void>
  /**
   * Rewrites the log if it has tripled; `writeChanges` writes what has changed during the rewrite, before the old files
   * are removed. Resolves when that is done or was aborted by `stop`.
   */
  shorten(source: QuotaSource, writeChanges: () => Promise<void>): Promise<void>
  /** Aborts the rewrite. */
  stop(): void
  /** Resolves when all appends have settled. */
  settled(): Promise<void>
  /** Closes the file after all appends have settled. */
  close(): Promise<void>
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

/** Opens the log of a folder and calls `onBlob` with each blob in order. */
export function openQuotaLog(folder: string, clock: Clock, onBlob: (blob: Uint8Array) => void): QuotaLog {
  let numbers = numbersIn(folder)
  let next = (numbers.at(-1) ?? 0) + 1
  /** The file for appends; the first append opens it. */
  let file: LogFile | undefined
  /** Offset at which the last file continues; `undefined`: it is damaged, so a new file is started. */
  let end: number | undefined
  /** Total bytes now, and after the last rewrite. */
  let bytes = 0
  let bytesThen = 0
  let stopped = false
  for (const number of numbers) {
    const read = readLogFile(pathOf(folder, number), onBlob)
    end = read.isWhole ? read.end : undefined
    bytes += read.end
  }

  const openFile = async (): Promise<LogFile> => {
    const last = numbers.at(-1)
    if (last !== undefined && end !== undefined) return LogFile.open(pathOf(folder, last), end)
    const made = await LogFile.open(pathOf(folder, next))
    numbers.push(next++)
    return made
  }

  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined
  /** Writes all waiting blobs together, until none is waiting. */
  const writeWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      const taken = waiting
      waiting = []
      try {
        file ??= await openFile()
        bytes += await file.append(taken.map(({ blob }) => blob))
        for (const { resolve } of taken) resolve()
      } catch (error) {
        for (const { reject } of taken) reject(error)
      }
    }
    writing = undefined
  }

  const append = (blob: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      if (blob.length === 0) {
        resolve()
        return
      }
      waiting.push({ blob, resolve, reject })
      writing ??= writeWaiting()
    })

  const settled = async () => {
    while (writing !== undefined) await writing
  }

  const closeFile = async () => {
    const closing = file
    file = undefined
    end = undefined
    await closing?.close()
  }

  const appendAll = async (source: QuotaSource): Promise<void> => {
    const pending: Promise<void>[] = []
    const problems: unknown[] = []
    for (const batch of batchesOf(source.quotas())) {
      pending.push(append(packBatch(batch)).catch((error) => void problems.push(error)))
      if (pending.length === batchesAtOnce) await Promise.all(pending.splice(0))
      await clock.breathe()
      if (stopped || problems.length > 0) break
    }
    await Promise.all(pending)
    if (problems.length > 0) throw problems[0]
  }

  const rewrite = async (source: QuotaSource, writeChanges: () => Promise<void>): Promise<void> => {
    // A loop instead of `settled`: no write may start between the last check and the following lines.
    while (writing !== undefined) await writing
    const before = numbers
    const bytesBefore = bytes
    numbers = []
    try {
      await closeFile()
      await appendAll(source)
      await writeChanges()
      if (stopped) return
      // The oldest first: after a crash at any point, the count that a reset cleared is gone before the reset.
      for (let oldest = before[0]; oldest !== undefined; oldest = before[0]) {
        await removeDurably(pathOf(folder, oldest))
        before.shift()
      }
      bytes -= bytesBefore
      bytesThen = bytes
    } finally {
      numbers = [...before, ...numbers]
    }
  }

  let running: Promise<void> | undefined
  return {
    append,
    shorten(source, writeChanges) {
      if (running !== undefined) return running
      const needed = Math.max(bytesThen, source.size * counterBytes)
      if (stopped || bytes <= Math.max(shortBytes, needed * 3)) return Promise.resolve()
      running = rewrite(source, writeChanges).finally(() => {
        running = undefined
      })
      return running
    },
    stop() {
      stopped = true
    },
    settled,
    async close() {
      await settled()
      await closeFile()
    },
  }
}

const pathOf = (folder: string, number: number) => join(folder, `quotas-${String(number).padStart(6, '0')}.log`)

/** Numbers of the files in a folder, the oldest first. */
function numbersIn(folder: string): number[] {
  const found = readdirSync(folder).map((name) => Number(/^quotas-(\d+)\.log$/.exec(name)?.[1] ?? 0))
  return found.filter((number) => number > 0).sort((a, b) => a - b)
}
