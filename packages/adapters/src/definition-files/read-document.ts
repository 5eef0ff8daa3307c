/** Reads one file as a document with its text and hash, or with the reason why it cannot be read. */
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { SourceDocument } from '@turnpike/core/definition'
import type { OneDocument } from '@turnpike/core/lib/yaml'
import { type FileStamp, stampOf } from './file-stamp.ts'

export interface ReadDocument {
  readonly document: SourceDocument
  readonly stamp: FileStamp
}

export interface ReadOptions {
  readonly maxBytes: number
  /** Converts YAML to JSON; set if there is a YAML file. */
  readonly toJson?: ((text: string, file: string) => OneDocument) | undefined
}

/**
 * Reads the file synchronously, which blocks the event loop for one file only. A file that cannot be read gives a document
 * with a problem.
 */
export function readDocument(path: string, name: string, { maxBytes, toJson }: ReadOptions): ReadDocument | undefined {
  let file: number
  try {
    // Non-blocking, because opening a named pipe would otherwise block until a writer opens it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    return { document: problemDocument(name, reasonOf(error)), stamp: untrusted }
  }
  try {
    const stats = fstatSync(file, { bigint: true })
    const stamp = stampOf(stats, Date.now())
    const problem = problemOf(stats, maxBytes)
    if (problem !== undefined) return { document: problemDocument(name, problem), stamp }
    const bytes = readWhole(file, Number(stats.size), maxBytes)
    // A different length means that the file is being written, and the stamp belongs to the previous content.
    const complete = bytes.length === Number(stats.size)
    return { document: documentOf(name, path, bytes, toJson), stamp: complete ? stamp : untrusted }
  } catch (error) {
    return { document: problemDocument(name, reasonOf(error)), stamp: untrusted }
  } finally {
    closeSync(file)
  }
}

const untrusted: FileStamp = { text: '', trusted: false }

function problemOf(stats: BigIntStats, maxBytes: number): string | undefined {
  if (stats.isDirectory()) return 'is a folder, not a file'
  if (!stats.isFile()) return 'is not a regular file'
  if (stats.size > BigInt(maxBytes)) return `is ${stats.size} bytes long; at most ${maxBytes} are read`
  return undefined
}

function readWhole(file: number, size: number, maxBytes: number): Buffer {
  // One byte more than the file size, to detect a growing file.
  let bytes = Buffer.allocUnsafe(Math.min(size, maxBytes) + 1)
  let length = 0
  for (;;) {
    const read = readSync(file, bytes, length, bytes.length - length, null)
    length += read
    if (read === 0 || length > maxBytes) return bytes.subarray(0, Math.min(length, maxBytes))
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)])
  }
}

function documentOf(name: string, path: string, bytes: Buffer, toJson: ReadOptions['toJson']): SourceDocument {
  if (!isUtf8(bytes)) return problemDocument(name, 'is not UTF-8 text')
  const text = bytes.toString('utf8')
  // Some editors write a byte order mark, which JSON does not allow.
  const json = text.startsWith('\ufeff') ? text.slice(1) : text
  const document = { name, path, hash: hash('sha1', bytes), text: json, problem: undefined }
  if (toJson === undefined || !/\.ya?ml$/.test(name)) return document
  // Values keep their lines, so positions in the JSON text are positions in the file.
  const read = toJson(json, path)
  return { ...document, text: read.json, problem: read.problem }
}

/** Returns a document for a file that cannot be read. */
export function problemDocument(name: string, problem: string): SourceDocument {
  return { name, hash: `unreadable: ${problem}`, text: undefined, problem }
}

/** Returns why a file or folder cannot be read, as a phrase that follows its name. */
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
      return 'is not a folder, or is inside a path that is not a folder'
    case 'ENXIO':
      return 'is not a regular file'
    default:
      return String(message ?? error)
  }
}
