/** `turnpike start` with more than one worker: runs the supervisor, and sets the options of the workers. */
import { silentLog } from '@turnpike/core/ports'
import type { LoadedConfig } from '../config/load-config.ts'
import { writePidFile } from '../start/pid-file.ts'
import type { Reporter } from '../start/reporter.ts'
import type { StartOptions } from '../start/start-options.ts'
import { type ExitCode, exitCodes, type Io } from '../terminal/io.ts'
import { descriptorProblem } from './descriptor-limit.ts'
import { superviseWorkers } from './supervise.ts'

/** Options of all workers but the first, which prints the banner. Every worker prints its requests and errors. */
export function quietWorker({ json, requests, quiet }: StartOptions): Partial<StartOptions> {
  return { quiet: true, requests: requests ?? quiet !== true, ...(json === undefined ? {} : { json }) }
}

/** Resolves when all workers have ended. Rejects with `DataFolderProblem` if the data folder cannot be used. */
export async function superviseStart({ config }: LoadedConfig, reporter: Reporter, io: Io): Promise<ExitCode> {
  const problem = descriptorProblem()
  if (problem !== undefined) {
    reporter.fail(problem)
    return exitCodes.found
  }
  const release = writePidFile(config.pidFileLocation, silentLog)
  let unlock = () => {}
  try {
    if (config.storage.type === 'lmdb') {
      const { prepareSharedFolder } = await import('@turnpike/adapters/store-lmdb')
      unlock = await prepareSharedFolder({ path: config.dataPath, log: { ...silentLog, warn: noteTo(reporter) } })
    }
    const ended = await superviseWorkers({
      workers: config.workers,
      graceMs: config.gracefulShutdownTimeoutDuration * 1000,
      note: reporter.note,
      warn: reporter.warn,
      onStop: io.onStop,
      onHangUp: io.onHangUp,
      onRestart: io.onRestart,
      environment: io.environment,
    })
    return ended ? exitCodes.fine : exitCodes.found
  } finally {
    unlock()
    release()
  }
}

function noteTo({ warn }: Reporter) {
  return (text: string, facts: object = {}) => {
    const { reason } = facts as { readonly reason?: unknown }
    warn(reason === undefined ? text : `${text}: ${String(reason)}`)
  }
}
