/**
 * The logs of quotas that several processes changed. Each process appends to a log of its own, in the folder
 * `counters/log-<slot>`. Of the entries of a counter the one with the highest number is its state.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@turnpike/core/ports'
import { batchesOf, type LoggedQuota, packBatch, unpackBatch } from '../quotas/quota-batch.ts'
import { QuotaLog, removeQuotaLog } from '../quotas/quota-log.ts'
import { countersFolder } from './counters-environment.ts'

export interface NumberedQuota extends LoggedQuota {
  /** Number of the transaction. */
  readonly number: number
}

const prefix = 'log-'
/** The log that replaces all others, while it is written. */
const nextSlot = 'next'

/** Opens the log of one process. No other living process may use the slot. */
export function openSlotLog(dataFolder: string, slot: number | typeof nextSlot, clock: Clock): QuotaLog {
  const folder = join(countersFolder(dataFolder), `${prefix}${slot}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return new QuotaLog(folder, clock, () => {})
}

/** Reads all logs in a data folder, of one process and of several. */
export function readAllLogs(dataFolder: string, clock: Clock): Map<string, NumberedQuota> {
  const newest = new Map<string, NumberedQuota>()
  let last = 0
  const note = (key: string, state: NumberedQuota) => {
    last = Math.max(last, state.number)
    if ((newest.get(key)?.number ?? -1) <= state.number) newest.set(key, state)
  }
  const read = (folder: string, onQuota: (key: string, state: LoggedQuota) => void) =>
    void new QuotaLog(folder, clock, (blob) => unpackBatch(blob, onQuota))
  for (const folder of logFolders(dataFolder)) {
    read(folder, (key, state) => note(key, { ...state, number: state.number ?? 0 }))
  }
  // A log of one process is newer than those of several: that process removed them after it had taken over their quotas.
  const number = last + 1
  read(dataFolder, (key, state) => note(key, { ...state, number }))
  return newest
}

/** Writes the quotas to one log, durably, and removes all others. */
export async function replaceLogs(
  dataFolder: string,
  quotas: Iterable<readonly [string, NumberedQuota]>,
  clock: Clock,
): Promise<void> {
  const old = logFolders(dataFolder)
  const log = openSlotLog(dataFolder, nextSlot, clock)
  try {
    for (const batch of batchesOf(quotas)) await log.append(packBatch(batch))
  } finally {
    await log.close()
  }
  // A crash before the last removal leaves entries that the new log has too.
  for (const folder of old) if (!folder.endsWith(nextSlot)) rmSync(folder, { recursive: true })
  renameSync(join(countersFolder(dataFolder), `${prefix}${nextSlot}`), join(countersFolder(dataFolder), `${prefix}0`))
  removeQuotaLog(dataFolder)
}

/** Folders of the logs of several processes. */
function logFolders(dataFolder: string): string[] {
  const folder = countersFolder(dataFolder)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(folder, name))
}
