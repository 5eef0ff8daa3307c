/**
 * Several processes on one TCP port. The supervisor accepts connections and gives each worker the next one, so that few
 * connections with many requests are divided evenly too; uWebSockets.js opens the port in each worker (SO_REUSEPORT). The
 * supervisor handles no requests and counts nothing. It starts workers, replaces workers that exit or hang, restarts all of
 * them one after the other, passes their messages, and stops them at shutdown.
 */
import cluster from 'node:cluster'
import { GroupRelay, relayLocks, relayReloads } from '@turnpike/adapters/worker-group'
import { makeBackOff } from './back-off.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

export interface SuperviseOptions {
  readonly workers: number
  /** Milliseconds that workers have to end after SIGTERM. */
  readonly graceMs: number
  /** Prints a line about progress. */
  note(message: string): void
  warn(message: string): void
  /** Calls the listener at a signal to stop. Returns a function that unsubscribes. */
  onStop(listener: (signal: string) => void): () => void
  /** Calls the listener at a signal to restart all workers. Returns a function that unsubscribes. */
  onRestart(listener: () => void): () => void
  /** Calls the listener at a signal to reload. Returns a function that unsubscribes. */
  onHangUp(listener: () => void): () => void
  /** The environment of the workers; each also gets its number. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Additional time for a worker to close its store before SIGKILL. */
const shutdownAllowanceMs = 5_000

/**
 * Resolves when all workers have ended: with false if, while not all had been ready yet, a worker that was
 * not ready ended with an error; otherwise with true.
 */
export async function superviseWorkers(options: SuperviseOptions): Promise<boolean> {
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({ silent: false })
  const supervisor = new Supervisor(options)
  const releases = [
    options.onStop((signal) => {
      options.note(`${signal}: open requests have ${options.graceMs / 1000} s to finish`)
      supervisor.stop()
    }),
    options.onRestart(() => supervisor.restartAll()),
    options.onHangUp(() => supervisor.reload()),
  ]
  try {
    return await supervisor.run()
  } finally {
    for (const release of releases) release()
  }
}

class Supervisor {
  private readonly options: SuperviseOptions
  private readonly relay = new GroupRelay()
  private readonly reloads: { reload(): Promise<void> }
  private readonly running = new Set<WorkerProcess>()
  private readonly backOffs = new Map<number, ReturnType<typeof makeBackOff>>()
  private allWereReady = false
  private isStopping = false
  private gaveUp = false
  private restarting: Promise<void> | undefined = undefined
  private finish: (succeeded: boolean) => void = () => {}

  constructor(options: SuperviseOptions) {
    this.options = options
    this.reloads = relayReloads(this.relay)
    relayLocks(this.relay)
    this.relay.handle('restart', () => {
      this.restartAll()
      return true
    })
    this.relay.handle('workers', () => ({
      wanted: options.workers,
      ready: [...this.running].filter(({ isReady }) => isReady).length,
    }))
  }

  run(): Promise<boolean> {
    return new Promise((resolve) => {
      this.finish = resolve
      for (let number = 1; number <= this.options.workers; number += 1) this.start(number)
    })
  }

  stop(): void {
    if (this.isStopping) return
    this.isStopping = true
    for (const worker of this.running) this.end(worker)
    this.finishIfStopped()
  }

  reload(): void {
    void this.reloads.reload()
  }

  /** Replaces all workers, one after the other: the successor serves before the old one ends. */
  restartAll(): void {
    this.restarting ??= this.replaceAll().finally(() => {
      this.restarting = undefined
    })
  }

  private async replaceAll(): Promise<void> {
    const { note, warn, workers } = this.options
    note('restarting the workers one after the other')
    for (const old of [...this.running]) {
      if (this.isStopping) return
      const successor = this.start(old.number, old)
      if (!(await successor.readyOrEnded)) {
        warn(`the successor of worker ${old.number} did not start; the other workers are not restarted`)
        return
      }
      this.end(old)
      await old.ended
    }
    note(`${workers} workers were restarted (${this.pids()})`)
  }

  private end(worker: WorkerProcess): void {
    worker.isRetired = true
    worker.kill('SIGTERM')
    setTimeout(() => worker.kill('SIGKILL'), this.options.graceMs + shutdownAllowanceMs).unref()
  }

  /** `replaced`: the worker that this one succeeds. */
  private start(number: number, replaced?: WorkerProcess): WorkerProcess {
    const { environment, warn } = this.options
    const worker = startWorker({ number, slot: this.freeSlot(), environment, relay: this.relay, warn })
    this.running.add(worker)
    void worker.readyOrEnded.then(() => this.noteReady())
    void worker.ended.then((how) => {
      this.running.delete(worker)
      if (this.isStopping) this.finishIfStopped()
      else if (!worker.isRetired && (replaced === undefined || worker.isReady)) this.replace(worker, how)
    })
    return worker
  }

  private replace(worker: WorkerProcess, how: { readonly text: string; readonly isError: boolean }): void {
    // An error at the first start affects all workers, and this worker has printed it. Restarting cannot help.
    if (!worker.isReady && !this.allWereReady && how.isError) {
      this.gaveUp = true
      this.stop()
      return
    }
    const { number } = worker
    const backOff = this.backOffs.get(number) ?? makeBackOff()
    this.backOffs.set(number, backOff)
    const wait = backOff.nextDelay(Date.now() - worker.startedAt)
    this.options.warn(`worker ${number} ended (${how.text}); another starts in ${wait} ms`)
    setTimeout(() => {
      if (!this.isStopping) this.start(number)
    }, wait)
  }

  private noteReady(): void {
    const { workers, note } = this.options
    if (this.allWereReady || [...this.running].filter(({ isReady }) => isReady).length < workers) return
    this.allWereReady = true
    note(`${workers} workers serve (${this.pids()})`)
  }

  private pids(): string {
    return [...this.running].map(({ pid }) => pid).join(', ')
  }

  /** The lowest number of a quota log that no living worker has. */
  private freeSlot(): number {
    const used = new Set([...this.running].map(({ slot }) => slot))
    let slot = 1
    while (used.has(slot)) slot += 1
    return slot
  }

  private finishIfStopped(): void {
    if (this.running.size === 0) this.finish(!this.gaveUp)
  }
}
