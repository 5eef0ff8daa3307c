/**
 * The workers of one scope. A call goes to an idle worker; if all are busy, another worker starts, up to the limit, and
 * the call waits. So a script that runs long delays only calls of its own API, and those only if all workers are busy.
 */
import type { ScriptProblem } from '@turnpike/core/lib'
import type { ScriptCall, ScriptLogLine, ScriptResult, ScriptScope, ScriptScopeOptions } from '@turnpike/core/ports'
import type { StartGate } from './start-gate.ts'
import { type Job, WorkerHandle, type WorkerLimits } from './worker-handle.ts'

export interface PoolLimits extends WorkerLimits {
  /** Workers of one scope, each with its own thread. Default: 2. */
  readonly maxWorkers: number
  /** Calls of one scope that may wait for a worker. Default: 1,000. */
  readonly maxWaiting: number
  /** Workers end after this time without a call. Default: 5 minutes. */
  readonly idleMs: number
}

const minWaitMs = 10_000

export class WorkerPool implements ScriptScope {
  private readonly options: ScriptScopeOptions
  private readonly limits: PoolLimits
  private readonly gate: StartGate
  private readonly onEnd: (pool: WorkerPool) => void
  private readonly workers = new Set<WorkerHandle>()
  private waiting: Job[] = []
  private isClosed = false
  private hasReported = false
  private idleTimer: NodeJS.Timeout | undefined

  constructor(options: ScriptScopeOptions, limits: PoolLimits, gate: StartGate, onEnd: (pool: WorkerPool) => void) {
    this.options = options
    this.limits = limits
    this.gate = gate
    this.onEnd = onEnd
    gate.whenFree(() => {
      if (!this.isClosed && this.workers.size === 0) this.start()
    })
  }

  call(call: ScriptCall): Promise<ScriptResult> {
    return new Promise((settle) => {
      const job: Job = { call, waitsUntil: Date.now() + this.maxWaitMs, settle }
      for (const worker of this.workers) {
        if (worker.state !== 'idle') continue
        worker.run(job)
        return
      }
      this.enqueue(job)
    })
  }

  close(): void {
    this.isClosed = true
    this.endIfUnused()
  }

  /** Ends all workers at once; their calls fail. */
  end(): void {
    this.isClosed = true
    clearTimeout(this.idleTimer)
    this.failWaiting('the gateway is closing')
    for (const worker of this.workers) worker.end('the gateway is closing')
    this.onEnd(this)
  }

  /** The time limit of a script begins when it runs. The start of a worker can take seconds on a busy machine. */
  private get maxWaitMs(): number {
    return Math.max(this.options.timeoutMs, minWaitMs)
  }

  private enqueue(job: Job): void {
    this.expire(Date.now())
    if (this.waiting.length >= this.limits.maxWaiting) {
      job.settle({ value: undefined, problem: 'too many calls wait for a script worker', logs: [] })
      return
    }
    this.waiting.push(job)
    const isStarting = [...this.workers].some(({ state }) => state === 'starting')
    if (!isStarting && this.workers.size < this.limits.maxWorkers) this.start()
    // Busy workers may never become idle before the deadline.
    setTimeout(() => this.expire(Date.now()), this.maxWaitMs + 1).unref()
  }

  private start(): void {
    let isReady = false
    const worker = new WorkerHandle(this.options, this.limits, {
      ready: (ready, { problems, logs }) => {
        isReady = true
        this.gate.started()
        this.report(problems, logs)
        this.next(ready)
      },
      idle: (idle) => this.next(idle),
      ended: (ended, reason) => {
        this.workers.delete(ended)
        if (!isReady) this.gate.started()
        // A worker that never became ready would fail again.
        if (!isReady) this.failStart(`a script worker cannot start: ${reason}`)
        else if (this.waiting.length > 0 && this.workers.size === 0) this.start()
      },
    })
    this.gate.starting()
    this.workers.add(worker)
  }

  private next(worker: WorkerHandle): void {
    this.expire(Date.now())
    const job = this.waiting.shift()
    if (job !== undefined) {
      worker.run(job)
      return
    }
    if (this.isClosed) this.endIfUnused()
    else this.watchIdle()
  }

  private report(problems: readonly ScriptProblem[], logs: readonly ScriptLogLine[]): void {
    if (!this.hasReported) this.options.host.loaded(problems, logs)
    this.hasReported = true
  }

  private failStart(problem: string): void {
    if (!this.isClosed) this.report([{ source: 'worker', message: problem }], [])
    this.failWaiting(problem)
  }

  private failWaiting(problem: string): void {
    for (const { settle } of this.waiting.splice(0)) settle({ value: undefined, problem, logs: [] })
  }

  /** Fails the waiting calls whose time is over. */
  private expire(now: number): void {
    const [first] = this.waiting
    if (first === undefined || first.waitsUntil > now) return
    const late = this.waiting.filter(({ waitsUntil }) => waitsUntil <= now)
    this.waiting = this.waiting.filter(({ waitsUntil }) => waitsUntil > now)
    for (const { settle } of late) settle({ value: undefined, problem: 'no script worker was free in time', logs: [] })
  }

  private watchIdle(): void {
    this.idleTimer ??= setTimeout(() => {
      this.idleTimer = undefined
      for (const worker of this.workers) if (worker.state === 'idle') worker.end('idle')
    }, this.limits.idleMs).unref()
    this.idleTimer.refresh()
  }

  private endIfUnused(): void {
    const isUsed = this.waiting.length > 0 || [...this.workers].some(({ state }) => state === 'busy')
    if (isUsed) return
    clearTimeout(this.idleTimer)
    for (const worker of this.workers) worker.end('the scope is closed')
    this.onEnd(this)
  }
}
