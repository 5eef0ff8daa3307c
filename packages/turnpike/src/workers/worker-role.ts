/** The role of a process: the only process, or one of several workers. */
import cluster from 'node:cluster'
import { type GroupChannel, GroupMember, groupMessageOf } from '@turnpike/adapters/worker-group'
import type { GatewayWorker } from '../gateway/gateway-options.ts'

/** Environment variable with the number of a worker, from 1. */
export const workerVariable = 'TURNPIKE_WORKER'
/** Environment variable with the number of its quota log, which no other living worker has. */
export const slotVariable = 'TURNPIKE_WORKER_SLOT'

/** A worker that sends no heartbeat for five times as long is replaced. */
export const heartbeatMs = 1000

export interface WorkerRole {
  readonly number: number
  /** The first worker prints the banner, seeds keys and runs the echo upstream. */
  readonly isFirst: boolean
  /** Joins the other workers, and sends heartbeats from now on. */
  join(): Promise<GatewayWorker>
  /** Notifies the supervisor that this worker is ready. */
  ready(): void
  /** Calls the listener if the supervisor exits. Returns a function that unsubscribes. */
  onOrphaned(listener: () => void): () => void
}

/** Returns `undefined` if this process is not a worker. */
export function workerRole(): WorkerRole | undefined {
  if (!cluster.isWorker) return undefined
  const number = Number(process.env[workerVariable] ?? '1')
  const isFirst = number === 1
  return {
    ...{ number, isFirst },
    async join() {
      const member = await GroupMember.join(processChannel)
      setInterval(() => member.beat(), heartbeatMs).unref()
      return { member, isFirst, slot: Number(process.env[slotVariable] ?? number) }
    },
    ready: () => void process.send?.('ready'),
    onOrphaned(listener) {
      process.once('disconnect', listener)
      return () => void process.off('disconnect', listener)
    },
  }
}

const processChannel: GroupChannel = {
  // The supervisor may have ended; then this worker ends too.
  send: (message) => void (process.connected && process.send?.(message, undefined, undefined, () => undefined)),
  onMessage(listener) {
    process.on('message', (given: unknown) => {
      const message = groupMessageOf(given)
      if (message !== undefined) listener(message)
    })
  },
}
