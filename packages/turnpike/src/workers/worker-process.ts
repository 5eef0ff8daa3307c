/** One worker, as its supervisor sees it. A worker whose event loop stands still is killed. */
import cluster from 'node:cluster'
import { type GroupRelay, groupMessageOf } from '@turnpike/adapters/worker-group'
import { closeConnectionsInTransit } from './connections-in-transit.ts'
import { heartbeatMs, slotVariable, workerVariable } from './worker-role.ts'

export interface WorkerProcess {
  readonly number: number
  readonly slot: number
  readonly pid: number | undefined
  /** Unix ms. */
  readonly startedAt: number
  readonly isReady: boolean
  /** Set when the worker was told to end, so that it is not replaced. */
  isRetired: boolean
  /** Resolves to false if the worker ended before it was ready. */
  readonly readyOrEnded: Promise<boolean>
  readonly ended: Promise<{ readonly text: string; readonly isError: boolean }>
  kill(signal: NodeJS.Signals): void
}

interface StartOptions {
  readonly number: number
  readonly slot: number
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly relay: GroupRelay
  warn(message: string): void
}

/**
 * Checks without a heartbeat after which a ready worker is killed. Checks are counted instead of the time, so that a
 * machine that slept kills no worker.
 */
const maxSilentChecks = 5

export function startWorker({ number, slot, environment, relay, warn }: StartOptions): WorkerProcess {
  const worker = cluster.fork({ ...environment, [workerVariable]: String(number), [slotVariable]: String(slot) })
  closeConnectionsInTransit(worker)
  const relayed = relay.add((message) => {
    if (worker.isConnected()) worker.send(message, undefined, () => undefined)
  })
  let isReady = false
  let silentChecks = 0
  const watch = setInterval(() => {
    silentChecks += 1
    if (!isReady || silentChecks <= maxSilentChecks) return
    warn(`worker ${number} does not respond for ${maxSilentChecks} s and is killed`)
    worker.process.kill('SIGKILL')
  }, heartbeatMs)
  const readyOrEnded = new Promise<boolean>((resolve) => {
    worker.on('message', (given: unknown) => {
      silentChecks = 0
      if (given === 'ready') {
        isReady = true
        resolve(true)
      }
      const message = groupMessageOf(given)
      if (message !== undefined) relayed.receive(message)
    })
    worker.once('exit', () => resolve(false))
  })
  const ended = new Promise<Awaited<WorkerProcess['ended']>>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => {
      clearInterval(watch)
      relayed.remove()
      resolve({ text: signal ?? `exit code ${code}`, isError: code !== null && code !== 0 })
    })
  })
  return {
    ...{ number, slot, pid: worker.process.pid, startedAt: Date.now(), isRetired: false, readyOrEnded, ended },
    get isReady() {
      return isReady
    },
    kill: (signal) => void worker.process.kill(signal),
  }
}
