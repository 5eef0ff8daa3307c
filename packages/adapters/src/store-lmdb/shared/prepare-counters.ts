/**
 * Prepares the counters of a data folder before processes open it, and takes them over when one process opens it again.
 * At any time either the logs of one process are current, or the folder `counters`.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock, Log } from '@turnpike/core/ports'
import { CounterEncoder, CounterState, keptAfterEndMs } from '@turnpike/core/store-memory'
import { writeDurably } from '../../durable-file/durable-file.ts'
import { checkDatabaseFile } from '../database-file.ts'
import { hasQuotaLog } from '../quotas/quota-log.ts'
import { countersFolder, openCountersDatabase, readNumber, writeNumber } from './counters-environment.ts'
import { type NumberedQuota, readAllLogs, replaceLogs } from './quota-logs.ts'

/**
 * Keeps the environment if this kernel has written it, so that rates and quotas survive a crash of all processes.
 * Otherwise builds it from the logs: after a restart of the machine, pages of it can be missing. Call with the folder locked.
 */
export async function prepareCounters(dataFolder: string, clock: Clock, log: Log): Promise<void> {
  const folder = countersFolder(dataFolder)
  const reason = reasonToRebuild(dataFolder)
  if (reason === undefined && !hasQuotaLog(dataFolder)) return
  const quotas = readAllLogs(dataFolder, clock)
  rmSync(join(folder, bootFile), { force: true })
  if (reason !== undefined) {
    for (const name of ['data.mdb', 'lock.mdb']) rmSync(join(folder, name), { force: true })
    if (reason !== '') log.warn('the counters are restored from the quota logs; rates start empty', { folder, reason })
  }
  await fillDatabase(dataFolder, quotas, clock)
  await replaceLogs(dataFolder, quotas, clock)
  await writeDurably(join(folder, bootFile), bootId())
}

export const hasSharedCounters = (dataFolder: string) => existsSync(countersFolder(dataFolder))

/** Call when the quotas are in the log of one process. */
export function removeSharedCounters(dataFolder: string): void {
  rmSync(countersFolder(dataFolder), { recursive: true, force: true })
}

/** Names the kernel that wrote the environment. It is written last and removed first. */
const bootFile = 'boot'

/** `undefined`: the environment can be kept; empty: there is none yet. */
function reasonToRebuild(dataFolder: string): string | undefined {
  const folder = countersFolder(dataFolder)
  if (!existsSync(join(folder, 'data.mdb'))) return existsSync(folder) ? 'the environment is missing' : ''
  if (!existsSync(join(folder, bootFile))) return 'its preparation was interrupted'
  if (readFileSync(join(folder, bootFile), 'utf8') !== bootId()) return 'the machine was restarted since'
  try {
    checkDatabaseFile(folder)
    return undefined
  } catch (cause) {
    return `the environment is damaged: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}

/** Id of the running kernel; on systems without one, another value at each call. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return `unknown ${process.pid} ${performance.timeOrigin}`
  }
}

async function fillDatabase(dataFolder: string, quotas: Map<string, NumberedQuota>, clock: Clock): Promise<void> {
  const database = openCountersDatabase(dataFolder)
  try {
    const encoder = new CounterEncoder()
    const write = database.put.bind(database) as unknown as (key: string, value: Uint8Array) => void
    let number = readNumber(database)
    database.transactionSync(() => {
      for (const [key, { used, renewsAt, number: changed }] of quotas) {
        number = Math.max(number, changed)
        const state = new CounterState()
        state.used = used
        state.renewsAt = renewsAt
        if (!state.isOver(clock.now() - keptAfterEndMs)) write(key, encoder.encode(state))
      }
      writeNumber(database, number)
    })
  } finally {
    await database.close()
  }
}
