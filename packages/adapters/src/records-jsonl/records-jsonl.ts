/**
 * Analytics records in a file, one JSON object a line, turned over by size: `records.jsonl` becomes
 * `records.jsonl.1`, that `.2`, and so on. Times are RFC 3339 texts. The file holds what clients sent, keys included
 * where they are not hashed, so only its owner may read it.
 */
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type AnalyticsRecord, type AnalyticsSink, formatRfc3339, toWireRecord } from '@turnpike/core'
import { localUtcOffset } from './local-utc-offset.ts'

export interface JsonLinesOptions {
  /** Folders are made where they are missing. */
  readonly path: string
  /** Bytes after which a new file is begun; 64 MiB by default. A batch is never torn apart. */
  readonly maxBytes?: number
  /** Files that are kept, the one in use included; 5 by default. */
  readonly maxFiles?: number
}

/** A sink that opens its file with the first batch. */
export function makeJsonLinesSink({
  path,
  maxBytes = 64 * 1024 * 1024,
  maxFiles = 5,
}: JsonLinesOptions): AnalyticsSink {
  let file: FileHandle | undefined
  let size = 0

  const openFile = async (): Promise<FileHandle> => {
    await mkdir(dirname(path), { recursive: true })
    const opened = await open(path, 'a', 0o600)
    size = (await opened.stat()).size
    return opened
  }
  const turnOver = async (): Promise<void> => {
    await file?.close()
    file = undefined
    await rm(numbered(path, maxFiles - 1), { force: true })
    for (let i = maxFiles - 2; i >= 0; i--) await renameIfThere(numbered(path, i), numbered(path, i + 1))
  }

  return {
    name: 'json lines',
    async write(records) {
      const bytes = Buffer.from(records.map(lineOf).join(''))
      file ??= await openFile()
      if (size > 0 && size + bytes.length > maxBytes) {
        await turnOver()
        file = await openFile()
      }
      try {
        await file.appendFile(bytes)
        size += bytes.length
      } catch (cause) {
        // Half a line may stand there now; the next batch asks how long the file is.
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

/** The file in use has no number. */
const numbered = (path: string, i: number) => (i === 0 ? path : `${path}.${i}`)

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
  }
}
