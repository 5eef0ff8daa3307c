/** `turnpike start` with more than one worker: runs the supervisor, and sets the options of the workers. */
import cluster from 'node:cluster'
import { silentLog } from '@turnpike/core/ports'
import type { LoadedConfig } from '../config/load-config.ts'
import { writePidFile } from '../start/pid-file.ts'
import type { Reporter } from '../start/reporter.ts'
import type { StartOptions } from '../start/start-options.ts'
import { type ExitCode, exitCodes, type Io } from '../terminal/io.ts'
import { superviseWorkers } from './supervise.ts'

/** Options of all workers but the first, which prints the banner. Every worker prints its requests and errors. */
export function quietWorker({ json, requests, quiet }: StartOptions): Partial<StartOptions> {
  return { quiet: true, requests: requests ?? quiet !== true, ...(json === undefined ? {} : { json }) }
}

/** Resolves when all workers have ended. */
export async function superviseStart({ config }: LoadedConfig, reporter: Reporter, io: Io): Promise<ExitCode> {
  const release = writePidFile(config.pidFileLocation, silentLog)
  const stopForwarding = io.onHangUp(() => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGHUP')
  })
  try {
    const ended = await superviseWorkers({
      workers: config.workers,
      graceMs: config.gracefulShutdownTimeoutDuration * 1000,
      note: reporter.note,
      warn: reporter.warn,
      onStop: io.onStop,
      environment: io.environment,
    })
    return ended ? exitCodes.fine : exitCodes.found
  } finally {
    stopForwarding()
    release()
  }
}
