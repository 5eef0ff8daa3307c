/**
 * Several processes on one TCP port. The kernel distributes connections: uWebSockets.js opens the port in each worker
 * (SO_REUSEPORT), node:http accepts from one socket that all workers share. The supervisor handles no requests. It
 * starts workers, replaces workers that exit, and stops all workers at shutdown.
 */
import cluster, { type Worker } from 'node:cluster'
import { workerVariable } from './worker-role.ts'

interface SuperviseOptions {
  readonly workers: number
  /** Milliseconds that workers have to end after SIGTERM. */
  readonly graceMs: number
  /** Prints a line about progress. */
  note(message: string): void
  warn(message: string): void
  /** Calls the listener at a signal to stop. Returns a function that unsubscribes. */
  onStop(listener: (signal: string) => void): () => void
  /** The environment of the workers; each also gets its number. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Additional time for a worker to close its store before SIGKILL. */
const shutdownAllowanceMs = 5_000

/**
 * Resolves when all workers have ended: with false if, while not all had been ready yet, a worker that was
 * not ready ended with an error; otherwise with true.
 */
export function superviseWorkers(options: SuperviseOptions): Promise<boolean> {
  const { workers, graceMs, note, warn } = options
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ silent: false })
  const running = new Map<number, Worker>()
  const backOffs = new Map<number, ReturnType<typeof makeBackOff>>()
  let ready = 0
  let allWereReady = false
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
        if (ready === workers && !allWereReady) {
          allWereReady = true
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
        // An error at the first start affects all workers, and this worker has printed it. Restarting cannot help.
        if (!served && !allWereReady && code !== null && code !== 0) {
          gaveUp = true
          stop()
          return
        }
        const backOff = backOffs.get(number) ?? makeBackOff()
        backOffs.set(number, backOff)
        const wait = backOff.nextDelay(Date.now() - startedAt)
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

const initialDelayMs = 100
const maxDelayMs = 10_000
/** A worker that lived at least this long resets the delay. */
const resetAfterMs = 30_000

/** Exponential backoff for replacing a worker that exited. */
export function makeBackOff() {
  let next = initialDelayMs
  return {
    /** Takes the lifetime of the worker that exited and returns the delay before its replacement; both in ms. */
    nextDelay(livedMs: number): number {
      if (livedMs >= resetAfterMs) next = initialDelayMs
      const wait = next
      next = Math.min(maxDelayMs, next * 2)
      return wait
    },
  }
}
