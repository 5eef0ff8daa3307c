/** What a process is: the only one, one of several workers, or the one that looks after them. */
import cluster from 'node:cluster'

/** In the environment of a worker: its number, from 1. */
export const workerVariable = 'TURNPIKE_WORKER'

export interface WorkerRole {
  readonly number: number
  /** The first speaks for all: it prints what is served and watches the folder. */
  readonly isFirst: boolean
  /** Tells the supervisor that this worker serves. */
  ready(): void
  /** Calls back when the supervisor is gone: nobody would end this worker then. Returns how to stop listening. */
  onOrphaned(listener: () => void): () => void
}

/** `undefined`: this process is no worker. */
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
