/** One file as a document: its text and hash, or why there is none. */
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { SourceDocument } from '@turnpike/core'
import { type FileStamp, stampOf } from './file-stamp.ts'

export interface ReadDocument {
  readonly document: SourceDocument
  readonly stamp: FileStamp
}

/** Reads the file; `undefined` when it is gone. The loop is held for one file's reading, no longer. */
export function readDocument(path: string, name: string, maxBytes: number): ReadDocument | undefined {
  let file: number
  try {
    // Without waiting: a pipe that is named like a definition would wait for its writer for ever.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    return { document: problemDocument(name, reasonOf(error)), stamp: unstamped }
  }
  try {
    const stats = fstatSync(file, { bigint: true })
    const stamp = stampOf(stats, Date.now())
    const refused = refusal(stats, maxBytes)
    if (refused !== undefined) return { document: problemDocument(name, refused), stamp }
    const bytes = readWhole(file, Number(stats.size), maxBytes)
    // Longer than it said: somebody is writing, and the stamp belongs to what was before.
    const settled = bytes.length === Number(stats.size)
    return { document: documentOf(name, bytes), stamp: settled ? stamp : unstamped }
  } catch (error) {
    return { document: problemDocument(name, reasonOf(error)), stamp: unstamped }
  } finally {
    closeSync(file)
  }
}

const unstamped: FileStamp = { text: '', trusted: false }

function refusal(stats: BigIntStats, maxBytes: number): string | undefined {
  if (stats.isDirectory()) return 'is a folder, not a file'
  if (!stats.isFile()) return 'is not a regular file'
  if (stats.size > BigInt(maxBytes)) return `is ${stats.size} bytes long; at most ${maxBytes} are read`
  return undefined
}

function readWhole(file: number, size: number, maxBytes: number): Buffer {
  // One byte more than told, so that a file that grows is noticed.
  let bytes = Buffer.allocUnsafe(Math.min(size, maxBytes) + 1)
  let length = 0
  for (;;) {
    const read = readSync(file, bytes, length, bytes.length - length, null)
    length += read
    if (read === 0 || length > maxBytes) return bytes.subarray(0, Math.min(length, maxBytes))
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)])
  }
}

function documentOf(name: string, bytes: Buffer): SourceDocument {
  if (!isUtf8(bytes)) return problemDocument(name, 'is not UTF-8 text')
  const text = bytes.toString('utf8')
  // Editors of some systems put a mark of byte order in front, which JSON does not know.
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0
  return { name, hash: hash('sha1', bytes), text: start === 0 ? text : text.slice(1), problem: undefined }
}

/** A document that could not be read. */
export function problemDocument(name: string, problem: string): SourceDocument {
  return { name, hash: `unreadable: ${problem}`, text: undefined, problem }
}

/** Why a file or folder could not be read, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  switch (code) {
    case 'ENOENT':
      return 'does not exist, or is a link that leads nowhere'
    case 'ELOOP':
      return 'is a link that leads to itself'
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this user'
    case 'ENOTDIR':
      return 'is not a folder, or lies below something that is none'
    case 'ENXIO':
      return 'is not a regular file'
    default:
      return String(message ?? error)
  }
}
