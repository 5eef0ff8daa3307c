/**
 * Password hashes with bcryptjs in worker threads, so that guessing passwords does not stop the gateway. The number of
 * threads and of waiting checks is limited, and networks take turns.
 */
import { Worker } from 'node:worker_threads'
import { type PasswordQueue, type Passwords, PasswordsBusyError } from '@turnpike/core/ports'
import { workerFile } from '../worker-file/worker-file.ts'
import { FairQueue } from './fair-queue.ts'
import type { PasswordResult, PasswordTask } from './password-worker.ts'

/** The cost factor of original gateways, see docs/reference/key-management.md#basic-users. */
const cost = 10
/** A check takes about 60 ms of a thread. */
const maxThreads = 2
/** Checks that wait for a thread; a longer queue would only delay all of them. */
const maxWaiting = 100

interface Job {
  readonly task: PasswordTask
  readonly resolve: (result: PasswordResult) => void
  readonly reject: (cause: unknown) => void
}

class PasswordThread {
  private worker: Worker | undefined
  private job: Job | undefined

  get isIdle(): boolean {
    return this.job === undefined
  }

  /** Starts the job; `done` is called when the thread is idle again. */
  run(job: Job, done: () => void): void {
    this.job = job
    const settle = (act: (job: Job) => void) => {
      if (this.job !== job) return
      this.job = undefined
      // An idle thread must not keep the process alive.
      this.worker?.unref()
      act(job)
      done()
    }
    const worker = this.worker ?? this.start()
    worker.removeAllListeners()
    worker.on('message', (result: PasswordResult) => settle(({ resolve }) => resolve(result)))
    worker.on('error', (cause) => {
      this.worker = undefined
      settle(({ reject }) => reject(cause))
    })
    worker.ref()
    worker.postMessage(job.task)
  }

  private start(): Worker {
    this.worker = new Worker(workerFile('password-worker'), { env: {}, execArgv: [] })
    return this.worker
  }
}

class BcryptPasswords implements Passwords {
  private readonly threads: PasswordThread[] = []
  private readonly waiting = new FairQueue<Job>(maxWaiting)

  async hash(password: string): Promise<string> {
    return (await this.compute({ password })) as string
  }

  async matches(password: string, hash: string, queue?: PasswordQueue): Promise<boolean> {
    return (await this.compute({ password, hash }, queue)) as boolean
  }

  private compute(
    task: Pick<PasswordTask, 'password' | 'hash'>,
    queue: PasswordQueue = { network: '', isTrusted: true },
  ): Promise<PasswordResult> {
    return new Promise((resolve, reject) => {
      const dropped = this.waiting.add({ task: { ...task, cost }, resolve, reject }, queue)
      dropped?.reject(new PasswordsBusyError())
      this.startNext()
    })
  }

  private startNext(): void {
    const thread = this.threads.find(({ isIdle }) => isIdle) ?? this.addThread()
    const job = thread === undefined ? undefined : this.waiting.next()
    if (job !== undefined) thread?.run(job, () => this.startNext())
  }

  private addThread(): PasswordThread | undefined {
    if (this.threads.length >= maxThreads) return undefined
    const thread = new PasswordThread()
    this.threads.push(thread)
    return thread
  }
}

export const bcryptPasswords: Passwords = new BcryptPasswords()
