/**
 * The LMDB environment in which several processes count, in the folder `counters` of the data folder. Commits do not wait
 * for the disk: the pages of a killed process stay in the cache of the kernel, so only a crash of the machine loses them.
 * Quotas are also in logs (`quota-logs.ts`), from which the environment is then restored.
 */
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { nameEncoder } from '../name-key.ts'

/** Folder of the environment and of the logs, in a data folder. */
export const countersFolder = (dataFolder: string) => join(dataFolder, 'counters')

/** Record with the number of the last transaction. No key of a counter starts with this byte. */
const numberKey = Buffer.from('\0transaction')

export type CountersDatabase = RootDatabase<Buffer, Buffer>

/** Opens the environment; creates it if it does not exist. */
export function openCountersDatabase(dataFolder: string): CountersDatabase {
  const path = countersFolder(dataFolder)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const database = open<Buffer, Buffer>({
    path,
    noSubdir: false,
    // Without `useWritemap`, so that a full disk is an error and not a signal that ends the process.
    noSync: true,
    eventTurnBatching: false,
    encoding: 'binary',
    keyEncoder: nameEncoder,
  })
  for (const name of ['data.mdb', 'lock.mdb']) chmodSync(join(path, name), 0o600)
  return database
}

/** Returns the number of the last transaction that changed counters; 0 in a new environment. */
export function readNumber(database: CountersDatabase): number {
  return database.get(numberKey)?.readDoubleLE() ?? 0
}

/** Call only inside a transaction. */
export function writeNumber(database: CountersDatabase, number: number): void {
  const value = Buffer.alloc(8)
  value.writeDoubleLE(number)
  void database.put(numberKey, value)
}

/** Returns true if the key is that of a counter. */
export const isCounterKey = (key: Uint8Array) => key[0] !== 0
