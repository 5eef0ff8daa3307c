/**
 * Looks at the database file before LMDB does: handed a file that is none, or one that was cut, LMDB takes the whole
 * process down with it. Of a good file only the two meta pages are looked at. One that is shorter than they tell may
 * still be whole, since unused pages at its end need not be there; a process of its own finds out.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Says that the file is not, or not whole, what LMDB wrote. */
export class BrokenDatabase extends Error {}

// Offsets of LMDB's meta page: behind a page header of 24 bytes, little-endian.
const magicAt = 24
const pageSizeAt = 48
const lastPageAt = 144
const metaBytes = 152
const magic = 0xbeefc0de

/** Throws `BrokenDatabase` when the folder's database cannot be opened; a folder without one is fine. */
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
    // Empty: a process died before its first write.
    if (size === 0) return
    const first = readMeta(file, 0)
    const second = first && readMeta(file, first.pageSize)
    if (first === undefined || second === undefined) throw new BrokenDatabase('it does not begin as one')
    if (size < Math.max(first.bytes, second.bytes)) probe(folder, size)
  } finally {
    closeSync(file)
  }
}

function readMeta(file: number, at: number): { readonly pageSize: number; readonly bytes: number } | undefined {
  const page = Buffer.alloc(metaBytes)
  if (readSync(file, page, 0, metaBytes, at) < metaBytes || page.readUInt32LE(magicAt) !== magic) return undefined
  // Only the first page need tell the size; both do.
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
  // Anything but death by reading is left to the opening itself, which can tell its reason.
  if (signal !== null && signal !== 'SIGTERM') throw new BrokenDatabase(`it was cut: ${size} bytes are left of it`)
}
