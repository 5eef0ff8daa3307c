/**
 * Several processes on one port. The kernel spreads connections: uWebSockets.js opens the port in each worker, node:http
 * takes connections from one socket that all workers hold. The supervisor itself serves nothing: it starts workers,
 * replaces those that die, and ends them all.
 */
import cluster, { type Worker } from 'node:cluster'
import { makeBackOff } from './back-off.ts'
import { workerVariable } from './worker-role.ts'

export interface SuperviseOptions {
  readonly workers: number
  /** Ms that workers have to end after they were told to. */
  readonly graceMs: number
  /** Tells what happens, in a line. */
  note(message: string): void
  warn(message: string): void
  /** Calls the listener at the first signal to stop. Returns how to stop listening. */
  onStop(listener: (signal: string) => void): () => void
  /** The environment that workers get beside their number. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Time beyond the grace in which a worker closes its store. */
const shutdownAllowanceMs = 5_000

/** Resolves with true when all ended as they were told to; false when they could not start. */
export function superviseWorkers(options: SuperviseOptions): Promise<boolean> {
  const { workers, graceMs, note, warn } = options
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ silent: false })
  const running = new Map<number, Worker>()
  const backOffs = new Map<number, ReturnType<typeof makeBackOff>>()
  let ready = 0
  let everReady = false
  let stopping = false
  let gaveUp = false

  return new Promise((resolve) => {
    const finish = () => {
      if (running.size === 0 && stopping) {
        stopListening()
        resolve(!gaveUp)
      }
    }

    const stop = () => {
      if (stopping) return
      stopping = true
      for (const worker of running.values()) worker.process.kill('SIGTERM')
      setTimeout(() => {
        for (const worker of running.values()) worker.process.kill('SIGKILL')
      }, graceMs + shutdownAllowanceMs).unref()
      finish()
    }

    const startWorker = (number: number) => {
      if (stopping) return
      const startedAt = Date.now()
      const worker = cluster.fork({ ...options.environment, [workerVariable]: String(number) })
      running.set(number, worker)
      let served = false
      worker.on('message', (message: unknown) => {
        if (message !== 'ready') return
        served = true
        ready += 1
        if (ready === workers && !everReady) {
          everReady = true
          note(`${workers} workers serve (${[...running.values()].map((each) => each.process.pid).join(', ')})`)
        }
      })
      worker.once('exit', (code, signal) => {
        running.delete(number)
        if (served) ready -= 1
        if (stopping) {
          finish()
          return
        }
        // Whatever keeps a worker from its first start keeps the others too, and it has said what it is.
        if (!served && !everReady && code !== null && code !== 0) {
          gaveUp = true
          stop()
          return
        }
        const backOff = backOffs.get(number) ?? makeBackOff()
        backOffs.set(number, backOff)
        const wait = backOff.died(Date.now() - startedAt)
        warn(`worker ${number} ended (${signal ?? `exit code ${code}`}); another starts in ${wait} ms`)
        setTimeout(() => startWorker(number), wait)
      })
    }

    const stopListening = options.onStop((signal) => {
      note(`${signal}: open requests have ${graceMs / 1000} s to finish`)
      stop()
    })
    for (let number = 1; number <= workers; number += 1) startWorker(number)
  })
}
