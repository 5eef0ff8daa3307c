/** The role of a process: the only process, or one of several workers. */
import cluster from 'node:cluster'

/** Environment variable with the number of a worker, from 1. */
export const workerVariable = 'TURNPIKE_WORKER'

export interface WorkerRole {
  readonly number: number
  /** The first worker prints the banner, seeds keys and runs the echo upstream. */
  readonly isFirst: boolean
  /** Notifies the supervisor that this worker is ready. */
  ready(): void
  /** Calls the listener if the supervisor exits. Returns a function that unsubscribes. */
  onOrphaned(listener: () => void): () => void
}

/** Returns `undefined` if this process is not a worker. */
export function workerRole(): WorkerRole | undefined {
  if (!cluster.isWorker) return undefined
  const number = Number(process.env[workerVariable] ?? '1')
  return {
    number,
    isFirst: number === 1,
    ready: () => void process.send?.('ready'),
    onOrphaned(listener) {
      process.once('disconnect', listener)
      return () => void process.off('disconnect', listener)
    },
  }
}
