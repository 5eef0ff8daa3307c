/**
 * Opens and locks the database files of a store, and wraps them as tables of bytes. If a folder cannot be opened, the
 * error contains its path and a fix.
 */
import { accessSync, chmodSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { explained } from './data-folder-problem.ts'
import { checkDatabaseFile } from './database-file.ts'
import { DiskError } from './disk-availability.ts'
import { lockFolder } from './folder-lock.ts'
import { nameEncoder } from './name-key.ts'

/** A table of byte strings, sorted by key. */
export interface Table {
  get(key: Buffer): Buffer | undefined
  /** Reads the record of a name into `peeked` and returns its length; −1: it does not exist. The next call overwrites it. */
  peek(name: string): number
  readonly peeked: Buffer
  /** Call only inside `write`, which rejects if it fails. */
  put(key: Buffer, value: Buffer): void
  /** Call only inside `write`. */
  remove(key: Buffer): void
  /**
   * Runs the changes in one transaction, after all earlier calls, whose changes it sees. Resolves when the changes are on
   * disk; rejects if they could not be written, with `StoreUnavailableError` if that is because of the disk.
   */
  write<T>(change: () => T): Promise<T>
  /** Reads at most `limit` records from the key on, and the key at which to continue; `undefined` at the end. */
  slice(from: Buffer, end: Buffer | undefined, limit: number): Slice
}

export interface Slice {
  readonly records: readonly { readonly key: Buffer; readonly value: Buffer }[]
  readonly next: Buffer | undefined
}

/** Runs a write, which rejects with `DiskError` because of the disk. */
export type GuardWrite = <T>(write: () => Promise<T>) => Promise<T>

export interface OpenDatabase {
  /** Absolute path. */
  readonly folder: string
  readonly sessions: Table
  readonly organisations: Table
  readonly records: Table
  readonly lists: Table
  /** Writes and removes a record, without the guard. Rejects with `DiskError` if that fails. */
  probe(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the database in the folder and creates the folder if necessary. Every write of a table passes `guard`. Throws
 * `DataFolderProblem`. `isShared`: several processes of this gateway use the folder, which one of
 * them has locked.
 */
export function openDatabase(path: string, guard: GuardWrite, isShared = false): OpenDatabase {
  const folder = resolve(path)
  const unlock = isShared ? () => {} : lockDataFolder(folder)
  let root: RootDatabase<Buffer, Buffer> | undefined
  try {
    root = explained(folder, () => {
      checkDatabaseFile(folder)
      const opened = openRoot(folder)
      closeToOthers(folder)
      return opened
    })
    const database = root
    const table = (name: string) =>
      makeTable(database, database.openDB<Buffer, Buffer>(name, tableOptions), guard, isShared)
    // One transaction, because each commit waits for the disk.
    const tables = explained(folder, () =>
      database.transactionSync(() => ({
        sessions: table('sessions'),
        organisations: table('org-sessions'),
        records: table('records'),
        lists: table('lists'),
      })),
    )
    return {
      folder,
      ...tables,
      probe: () =>
        commit(database, () => {
          tables.records.put(probeKey, Buffer.alloc(probeBytes))
          tables.records.remove(probeKey)
        }),
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

/** Creates the folder if necessary and locks it. Returns the function that unlocks it. Throws `DataFolderProblem`. */
export function lockDataFolder(folder: string): () => void {
  return explained(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return lockFolder(folder)
  })
}

const probeKey = Buffer.from('\0probe')
/** More pages than a usual write needs, so that the next write does not fail again. */
const probeBytes = 64 * 1024

const tableOptions = { encoding: 'binary', keyEncoder: nameEncoder } as const

/** The library creates its files for everyone. The folder may be older, with other permissions. */
function closeToOthers(folder: string): void {
  for (const name of ['data.mdb', 'lock.mdb']) {
    const file = join(folder, name)
    if (existsSync(file)) chmodSync(file, 0o600)
  }
}

function openRoot(folder: string): RootDatabase<Buffer, Buffer> {
  return open<Buffer, Buffer>({
    path: folder,
    noSubdir: false,
    maxDbs: 8,
    // With batches of event turns, the library makes a promise for each failed batch that no handler can be attached to.
    // Transactions of one turn are joined without them too.
    eventTurnBatching: false,
    // Reads copy the value, so that a later write cannot change a session that is in use.
    ...tableOptions,
  })
}

/** Rejects with `DiskError` if the disk is the reason; an error of `change` itself stays as it is. */
async function commit<T>(root: RootDatabase<Buffer, Buffer>, change: () => T): Promise<T> {
  try {
    const result = await root.transaction(change)
    await root.flushed
    return result
  } catch (error) {
    throw await asDiskError(error)
  }
}

/** Errors of commits contain a promise that rejects with the reason in the same turn; it must not stay without handler. */
export async function asDiskError(error: unknown): Promise<unknown> {
  if (!(error instanceof Error)) return error
  if ('commitError' in error) {
    const never = new Promise<never>((_, reject) => setImmediate(reject, error))
    const reason: unknown = await Promise.race([error.commitError, never]).catch((cause: unknown) => cause)
    never.catch(() => {})
    return new DiskError(reason instanceof Error ? reason.message : error.message, { cause: error })
  }
  // Errors of the library, such as a full map, have numbers as codes.
  return 'code' in error && typeof error.code === 'number' ? new DiskError(error.message, { cause: error }) : error
}

export function makeTable(
  root: RootDatabase<Buffer, Buffer>,
  table: Database<Buffer, Buffer>,
  guard: GuardWrite,
  isShared: boolean,
): Table {
  // Keys can be passed as names (`nameEncoder`), which the types of the library do not allow.
  const readName = table.getBinaryFast.bind(table) as unknown as (name: string) => Buffer | undefined
  let peeked: Buffer = Buffer.alloc(0)
  // The library keeps a snapshot for about a millisecond, which hides what another process has written since.
  const refresh = isShared ? () => root.resetReadTxn() : () => {}
  return {
    get(key) {
      refresh()
      return table.get(key)
    },
    peek(name) {
      refresh()
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
    write: (change) => guard(() => commit(root, change)),
    slice(from, end, limit) {
      refresh()
      const range = { start: from, limit: limit + 1, snapshot: false, ...(end === undefined ? {} : { end }) }
      const records = [...table.getRange(range)]
      const next = records.length > limit ? records.pop()?.key : undefined
      return { records, next }
    },
  }
}
