/**
 * The database files of a store: opened, locked for this process, and wrapped so that the rest of the adapter sees
 * tables of bytes. Whatever keeps a folder from being opened is told with its path and the way out.
 */
import { accessSync, constants, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { explained } from './data-folder-problem.ts'
import { checkDatabaseFile } from './database-file.ts'
import { lockFolder } from './folder-lock.ts'
import { nameEncoder } from './name-key.ts'

/** A table of byte strings, in the order of its keys. */
export interface Table {
  get(key: Buffer): Buffer | undefined
  /** Reads the record of a name into `peeked`, which the next call overwrites, and tells its length; −1: none. */
  peek(name: string): number
  readonly peeked: Buffer
  /** Only inside of `write`, which tells when it failed. */
  put(key: Buffer, value: Buffer): void
  /** Only inside of `write`. */
  remove(key: Buffer): void
  /**
   * Runs the changes as one, after all that were asked for before, and sees their results while it does.
   * Resolves when the disk has them; rejects when it could not take them.
   */
  write<T>(change: () => T): Promise<T>
  /** At most `limit` records from the key on, and where to go on; `undefined` at the end. */
  slice(from: Buffer, end: Buffer | undefined, limit: number): Slice
}

export interface Slice {
  readonly records: readonly { readonly key: Buffer; readonly value: Buffer }[]
  readonly next: Buffer | undefined
}

export interface OpenDatabase {
  /** Its full path. */
  readonly folder: string
  readonly sessions: Table
  readonly organisations: Table
  readonly records: Table
  readonly lists: Table
  close(): Promise<void>
}

/** Opens the database in the folder, which is made when it is missing. Throws `DataFolderProblem`. */
export function openDatabase(path: string): OpenDatabase {
  const folder = resolve(path)
  const unlock = explained(folder, () => {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return lockFolder(folder)
  })
  let root: RootDatabase<Buffer, Buffer> | undefined
  try {
    root = explained(folder, () => {
      checkDatabaseFile(folder)
      return openRoot(folder)
    })
    const database = root
    const table = (name: string) => makeTable(database, database.openDB<Buffer, Buffer>(name, tableOptions))
    const tables = explained(folder, () => ({
      sessions: table('sessions'),
      organisations: table('org-sessions'),
      records: table('records'),
      lists: table('lists'),
    }))
    return {
      folder,
      ...tables,
      async close() {
        await database.close()
        unlock()
      },
    }
  } catch (error) {
    void root?.close()
    unlock()
    throw error
  }
}

const tableOptions = { encoding: 'binary', keyEncoder: nameEncoder } as const

function openRoot(folder: string): RootDatabase<Buffer, Buffer> {
  return open<Buffer, Buffer>({
    path: folder,
    noSubdir: false,
    maxDbs: 8,
    // A value read is a copy, so that no session can be torn by a later write.
    ...tableOptions,
  })
}

function makeTable(root: RootDatabase<Buffer, Buffer>, table: Database<Buffer, Buffer>): Table {
  // Keys may be given as names (`nameEncoder`), which the library's types do not know.
  const readName = table.getBinaryFast.bind(table) as unknown as (name: string) => Buffer | undefined
  let peeked: Buffer = Buffer.alloc(0)
  return {
    get: (key) => table.get(key),
    peek(name) {
      const found = readName(name)
      if (found === undefined) return -1
      peeked = found
      return found.length
    },
    get peeked() {
      return peeked
    },
    put: (key, value) => void table.put(key, value),
    remove: (key) => void table.remove(key),
    async write(change) {
      const result = await root.transaction(change)
      await root.flushed
      return result
    },
    slice(from, end, limit) {
      const range = { start: from, limit: limit + 1, snapshot: false, ...(end === undefined ? {} : { end }) }
      const records = [...table.getRange(range)]
      const next = records.length > limit ? records.pop()?.key : undefined
      return { records, next }
    },
  }
}
