/**
 * Checks the database file before LMDB opens it, because LMDB crashes the process on a file of another format and on a
 * truncated file. The check reads the two meta pages. A file that is shorter than they state can still be complete,
 * because unused pages at its end may be missing; in that case a child process tries to read it.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The file is not an LMDB database, or it is truncated. */
export class BrokenDatabase extends Error {}

// Offsets in a meta page of LMDB, which starts after a page header of 24 bytes. Numbers are little-endian.
const magicAt = 24
const pageSizeAt = 48
const lastPageAt = 144
const metaBytes = 152
const magic = 0xbeefc0de

/** Throws `BrokenDatabase` if the folder's database cannot be opened. A folder without a database is valid. */
export function checkDatabaseFile(folder: string): void {
  let file: number
  try {
    file = openSync(join(folder, 'data.mdb'), 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  try {
    const { size } = fstatSync(file)
    // The file is empty if a process was killed before its first write.
    if (size === 0) return
    const first = readMeta(file, 0)
    const second = first && readMeta(file, first.pageSize)
    if (first === undefined || second === undefined) throw new BrokenDatabase('it does not start with a meta page')
    if (size < Math.max(first.bytes, second.bytes)) probe(folder, size)
  } finally {
    closeSync(file)
  }
}

function readMeta(file: number, at: number): { readonly pageSize: number; readonly bytes: number } | undefined {
  const page = Buffer.alloc(metaBytes)
  if (readSync(file, page, 0, metaBytes, at) < metaBytes || page.readUInt32LE(magicAt) !== magic) return undefined
  // Both pages contain the page size; the first one is sufficient.
  const pageSize = page.readUInt32LE(pageSizeAt)
  return { pageSize, bytes: (Number(page.readBigUInt64LE(lastPageAt)) + 1) * pageSize }
}

const readEverything = `
const [library, path] = process.argv.slice(1)
const root = require(library).open({ path, noSubdir: false, readOnly: true, maxDbs: 8, encoding: 'binary', keyEncoding: 'binary' })
for (const name of ['sessions', 'org-sessions', 'records', 'lists']) {
  const table = root.openDB(name, { encoding: 'binary', keyEncoding: 'binary' })
  if (table) for (const record of table.getRange()) record.value.length
}
`

function probe(folder: string, size: number): void {
  const library = createRequire(import.meta.url).resolve('lmdb')
  const { signal } = spawnSync(process.execPath, ['-e', readEverything, library, folder], { timeout: 120_000 })
  // Only a crash of the child is an error here. For other failures, opening the database reports the reason.
  if (signal !== null && signal !== 'SIGTERM') throw new BrokenDatabase(`it is truncated to ${size} bytes`)
}
