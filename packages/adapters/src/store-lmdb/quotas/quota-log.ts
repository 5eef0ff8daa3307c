/**
 * The quotas on disk: a log of blobs in files, `quotas-000001.log` and on, in the order of their numbers. What comes
 * later counts. A counter in a tree of its own would cost a page per write where a million keys take turns, and blobs in
 * the database cost more for its free pages than for their bytes.
 *
 * When the log has grown past what the counters need, all of them are written anew into the next file, a slice at a time
 * and between other writes, and the files before it are removed at last. A crash in between leaves both, which says the
 * same.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@turnpike/core'
import { removeDurably } from '../../durable-file/durable-file.ts'
import { LogFile, readLogFile } from './log-file.ts'

/** Counters that can be told a slice at a time: `QuotaTable` of core. */
export interface QuotaSource {
  /** How many there are. */
  readonly size: number
  slice(from: number, ids: number): { readonly blob: Uint8Array; readonly next: number | undefined }
  /** The blob is on the disk, so its bytes are free. */
  reuse(blob: Uint8Array): void
}

export interface QuotaLog {
  /** Resolves when the disk has the blob; rejects when it could not take it. */
  append(blob: Uint8Array): Promise<void>
  /**
   * Writes the log anew if it has grown too long; `writeChanges` writes what has changed meanwhile, before what stood
   * there goes. Resolves when that is done, or given up by `stop`.
   */
  shorten(source: QuotaSource, writeChanges: () => Promise<void>): Promise<void>
  /** Gives up shortening. */
  stop(): void
  /** Resolves when all that was to be appended is on the disk, or was told to have failed. */
  settled(): Promise<void>
  /** Lets go of the file, once all is settled. */
  close(): Promise<void>
}

/** A log is never too short to be left as it is. */
const shortBytes = 8 * 2 ** 20
/** What a counter takes at least, about: a log that holds each one three times is written anew. */
const counterBytes = 48
/** Ids of a slice: well under a millisecond's work. */
const sliceIds = 1000
const blobsAtOnce = 16

interface Waiting {
  readonly blob: Uint8Array
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/** Opens the log of a folder and tells the blobs it holds, in order. */
export function openQuotaLog(folder: string, clock: Clock, tell: (blob: Uint8Array) => void): QuotaLog {
  let numbers = numbersIn(folder)
  let next = (numbers.at(-1) ?? 0) + 1
  /** The file that is written; it is opened by the first write. */
  let file: LogFile | undefined
  /** Where the last file is to be written on; `undefined`: nowhere, as something broken stands there. */
  let end: number | undefined
  /** Bytes in all, and after the last time it was written anew. */
  let bytes = 0
  let bytesThen = 0
  let stopped = false
  for (const number of numbers) {
    const read = readLogFile(pathOf(folder, number), tell)
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
  /** Writes what waits, all of it at once, until nothing does. */
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
    for (let from: number | undefined = 0; from !== undefined && !stopped && problems.length === 0; ) {
      const { blob, next: behind }: ReturnType<QuotaSource['slice']> = source.slice(from, sliceIds)
      pending.push(
        append(blob).then(
          () => source.reuse(blob),
          (error) => void problems.push(error),
        ),
      )
      if (pending.length === blobsAtOnce) await Promise.all(pending.splice(0))
      await clock.breathe()
      from = behind
    }
    await Promise.all(pending)
    if (problems.length > 0) throw problems[0]
  }

  const rewrite = async (source: QuotaSource, writeChanges: () => Promise<void>): Promise<void> => {
    // Not `settled`: nothing may begin between the last look and what follows.
    while (writing !== undefined) await writing
    const before = numbers
    const bytesBefore = bytes
    numbers = []
    try {
      await closeFile()
      await appendAll(source)
      // A counter that moved while it was looked for is among the changes, and nowhere else.
      await writeChanges()
      if (stopped) return
      // The oldest first: whatever stays after a crash, a counter's reset is not gone before what it reset.
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
