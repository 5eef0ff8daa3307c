/**
 * The quotas on disk: a log of blobs, in the order of their numbers. What comes later counts. One counter in a tree of
 * its own would cost a page per write where a million keys take turns; a log costs its bytes.
 *
 * When the log has grown past what the counters need, all counters are written anew, a slice at a time and between
 * other writes, and what stood before is removed at last. A crash in between leaves both, which says the same.
 */
import type { Clock } from '@turnpike/core'
import type { Table } from './open-database.ts'

/** Counters that can be told a slice at a time: `QuotaTable` of core. */
export interface QuotaSource {
  /** How many there are. */
  readonly size: number
  slice(from: number, ids: number): { readonly blob: Uint8Array; readonly next: number | undefined }
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
}

/** A log is never too short to be left as it is. */
const shortBytes = 8 * 2 ** 20
/** What a counter takes at least, about: a log that holds each one three times is written anew. */
const counterBytes = 48
/** Ids of a slice: well under a millisecond's work. */
const sliceIds = 1000
const blobsAtOnce = 16

/** Opens the log and tells the blobs it holds, in order. */
export function openQuotaLog(table: Table, clock: Clock, tell: (blob: Uint8Array) => void): QuotaLog {
  let first: number | undefined
  let next = 0
  /** Bytes in all, and after the last time it was written anew. */
  let bytes = 0
  let bytesThen = 0
  let stopped = false
  for (let from: Buffer | undefined = keyOf(0); from !== undefined; ) {
    const slice = table.slice(from, undefined, blobsAtOnce)
    for (const { key, value } of slice.records) {
      first ??= numberOf(key)
      next = numberOf(key) + 1
      bytes += value.length
      tell(value)
    }
    from = slice.next
  }

  const append = async (blob: Uint8Array): Promise<void> => {
    if (blob.length === 0) return
    bytes += blob.length
    await table.enqueue([[keyOf(next++), Buffer.from(blob.buffer, blob.byteOffset, blob.length)]])
  }

  const rewrite = async (source: QuotaSource, writeChanges: () => Promise<void>): Promise<void> => {
    const end = next
    const bytesBefore = bytes
    const pending: Promise<void>[] = []
    for (let from: number | undefined = 0; from !== undefined; ) {
      const slice: ReturnType<QuotaSource['slice']> = source.slice(from, sliceIds)
      pending.push(append(slice.blob))
      if (pending.length === blobsAtOnce) await Promise.all(pending.splice(0))
      await clock.breathe()
      if (stopped) break
      from = slice.next
    }
    await Promise.all(pending)
    // A counter that moved while it was looked for is among the changes, and nowhere else.
    await writeChanges()
    if (stopped) return
    await table.write(() => {
      for (let number = first ?? 0; number < end; number++) table.remove(keyOf(number))
    })
    first = end
    bytes -= bytesBefore
    bytesThen = bytes
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
  }
}

function keyOf(number: number): Buffer {
  const key = Buffer.allocUnsafe(8)
  key.writeBigUInt64BE(BigInt(number))
  return key
}

const numberOf = (key: Buffer) => Number(key.readBigUInt64BE())
