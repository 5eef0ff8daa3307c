/** One script worker as the gateway's thread sees it: starts it, sends it a call at a time, runs its helpers. */
import { MessageChannel, Worker } from 'node:worker_threads'
import type { ScriptCall, ScriptResult, ScriptScopeOptions } from '@turnpike/core/ports'
import { workerFile } from '../worker-file/worker-file.ts'
import { compiledQuickJs } from './compiled-quickjs.ts'
import type { CallMessage, ResultMessage, WorkerMessage, WorkerStart } from './worker-messages.ts'

export interface WorkerLimits {
  /** Memory of a scope in bytes. Default: 64 MiB. */
  readonly memoryBytes: number
  /** Stack of a script in bytes. Default: 512 KiB. */
  readonly stackBytes: number
}

/** A call that waits for its result. */
export interface Job {
  readonly call: ScriptCall
  /** Moment until which the call waits for a worker. */
  readonly waitsUntil: number
  readonly settle: (result: ScriptResult) => void
}

export type WorkerState = 'starting' | 'idle' | 'busy' | 'ended'

type Ready = Extract<WorkerMessage, { type: 'ready' }>

export interface WorkerEvents {
  ready(worker: WorkerHandle, message: Ready): void
  idle(worker: WorkerHandle): void
  ended(worker: WorkerHandle, reason: string): void
}

/** How long a script may overrun its limit before its thread is ended; QuickJS itself stops it in nearly all cases. */
const graceMs = 1000

export class WorkerHandle {
  state: WorkerState = 'starting'
  private worker: Worker | undefined
  private readonly replies = new MessageChannel()
  private readonly signal = new Int32Array(new SharedArrayBuffer(4))
  private readonly options: ScriptScopeOptions
  private readonly limits: WorkerLimits
  private readonly events: WorkerEvents
  private job: Job | undefined
  private watchdog: NodeJS.Timeout | undefined

  constructor(options: ScriptScopeOptions, limits: WorkerLimits, events: WorkerEvents) {
    this.options = options
    this.limits = limits
    this.events = events
    compiledQuickJs().then(
      (quickJs) => this.spawn(quickJs),
      (problem: unknown) => this.end(`QuickJS cannot be compiled: ${String(problem)}`),
    )
  }

  private spawn(quickJs: object): void {
    if (this.state === 'ended') return
    const { port1, port2 } = this.replies
    const { sources, timeoutMs, vendor } = this.options
    const { memoryBytes, stackBytes } = this.limits
    const signal = this.signal.buffer as SharedArrayBuffer
    const start: WorkerStart = { quickJs, sources, timeoutMs, vendor, memoryBytes, stackBytes, replies: port2, signal }
    const worker = new Worker(workerFile('script-worker'), {
      workerData: start,
      transferList: [port2],
      env: {},
      argv: [],
      execArgv: [],
    })
    // Neither keeps the process alive.
    worker.unref()
    port1.unref()
    worker.on('message', (message: WorkerMessage) => this.receive(message))
    worker.on('error', (problem) => this.end(`the script worker failed: ${String(problem)}`))
    worker.on('exit', () => this.end('the script worker ended'))
    this.worker = worker
  }

  /** Call it only if the worker is idle. */
  run(job: Job): void {
    this.job = job
    this.state = 'busy'
    const { kind, name, args } = job.call
    const { timeoutMs } = this.options
    this.worker?.postMessage({ kind, name, args, deadline: Date.now() + timeoutMs } satisfies CallMessage)
    this.watchdog = setTimeout(() => this.end('the script exceeded its time limit (jsvm_timeout)'), timeoutMs + graceMs)
    this.watchdog.unref()
  }

  /** Ends the thread; a running call fails. */
  end(reason: string): void {
    if (this.state === 'ended') return
    this.state = 'ended'
    clearTimeout(this.watchdog)
    this.replies.port1.close()
    void this.worker?.terminate()
    this.settle({ value: undefined, problem: reason, logs: [] })
    this.events.ended(this, reason)
  }

  private receive(message: WorkerMessage): void {
    if (this.state === 'ended') return
    if (message.type === 'result') this.finish(message)
    else if (message.type === 'helper') void this.help(message)
    else {
      this.state = 'idle'
      this.events.ready(this, message)
    }
  }

  private finish({ value, problem, logs, isBroken }: ResultMessage): void {
    clearTimeout(this.watchdog)
    this.settle({ value, problem, logs })
    if (isBroken) {
      this.end('the script worker failed')
      return
    }
    this.state = 'idle'
    this.events.idle(this)
  }

  private settle(result: ScriptResult): void {
    const { job } = this
    this.job = undefined
    job?.settle(result)
  }

  /** Runs a helper. While the sources are evaluated there is no call, and helpers run as in a dry run: without effects. */
  private async help({ id, helper, args }: Extract<WorkerMessage, { type: 'helper' }>): Promise<void> {
    let value: string | undefined
    try {
      value = await this.options.host.run(helper, args, this.job?.call.dry ?? true)
    } catch {
      // The helper returns `undefined`, as for a server that does not respond.
    }
    if (this.state === 'ended') return
    this.replies.port1.postMessage({ id, value })
    Atomics.add(this.signal, 0, 1)
    Atomics.notify(this.signal, 0)
  }
}
