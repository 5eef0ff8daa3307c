/**
 * Writes analytics records to a file, one JSON object per line, with rotation by size: `records.jsonl` becomes
 * `records.jsonl.1`, that becomes `.2`, and so on. Times are RFC 3339 texts. Only the owner may read the file, because it
 * contains data of clients, including keys unless they are hashed.
 */
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { formatRfc3339 } from '@turnpike/core/lib'
import { type AnalyticsSink, toWireRecord } from '@turnpike/core/observability'
import type { AnalyticsRecord } from '@turnpike/core/ports'
import { localUtcOffset } from './local-utc-offset.ts'

export interface JsonLinesOptions {
  /** Path of the file. Missing folders are created. */
  readonly path: string
  /** Maximum bytes of a file; a batch is never split. Default: 64 MiB. */
  readonly maxBytes?: number
  /** Maximum number of files, including the current one. Default: 5. */
  readonly maxFiles?: number
}

/** Makes a sink that opens its file at the first batch. */
export function makeJsonLinesSink({
  path,
  maxBytes = 64 * 1024 * 1024,
  maxFiles = 5,
}: JsonLinesOptions): AnalyticsSink {
  let file: FileHandle | undefined
  let size = 0

  const openFile = async (): Promise<FileHandle> => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const opened = await open(path, 'a', 0o600)
    size = (await opened.stat()).size
    return opened
  }
  const rotate = async (): Promise<void> => {
    await file?.close()
    file = undefined
    await rm(numbered(path, maxFiles - 1), { force: true })
    for (let i = maxFiles - 2; i >= 0; i--) await renameIfExists(numbered(path, i), numbered(path, i + 1))
  }

  return {
    name: 'json lines',
    async write(records) {
      const bytes = Buffer.from(records.map(lineOf).join(''))
      file ??= await openFile()
      if (size > 0 && size + bytes.length > maxBytes) {
        await rotate()
        file = await openFile()
      }
      try {
        await file.appendFile(bytes)
        size += bytes.length
      } catch (cause) {
        // A partial line may have been written, so the next batch opens the file again and reads its size.
        await file.close().catch(() => undefined)
        file = undefined
        throw cause
      }
    },
    async close() {
      await file?.close()
      file = undefined
    },
  } satisfies AnalyticsSink
}

const lineOf = (record: AnalyticsRecord) => `${JSON.stringify(toWireRecord(record, formatRfc3339, localUtcOffset))}\n`

/** The current file has no number. */
const numbered = (path: string, i: number) => (i === 0 ? path : `${path}.${i}`)

async function renameIfExists(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
  }
}
