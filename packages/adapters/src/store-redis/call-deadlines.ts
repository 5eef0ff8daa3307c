/**
 * Deadlines for calls that get no reply. All calls have the same deadline, so one queue and one coarse timer suffice.
 *
 * If this process itself was blocked, replies may be waiting in the socket. A call is therefore rejected only when its
 * deadline has passed and the queue was checked twice since: between the checks, the event loop reads the replies.
 */
import { processTimers, type Timers } from './timers.ts'

export interface CallDeadlines {
  /** Settles like the promise, or rejects with `makeError()` at the deadline. */
  watch<T>(promise: Promise<T>): Promise<T>
  /** Rejects all waiting calls. */
  endAll(): void
}

interface Waiting {
  readonly endsAt: number
  readonly round: number
  done: boolean
  readonly reject: (error: Error) => void
}

const checksPerDeadline = 10

export function makeCallDeadlines(
  deadlineMs: number,
  makeError: () => Error,
  timers: Timers = processTimers,
): CallDeadlines {
  let queue: Waiting[] = []
  let round = 0
  let cancel: (() => void) | undefined
  const pauseMs = Math.max(5, Math.ceil(deadlineMs / checksPerDeadline))

  const check = () => {
    cancel = undefined
    round += 1
    const now = timers.now()
    let first = 0
    for (let entry = queue[0]; entry !== undefined; entry = queue[++first]) {
      if (entry.done) continue
      if (entry.endsAt > now || round - entry.round < 2) break
      entry.done = true
      entry.reject(makeError())
    }
    queue = queue.slice(first)
    if (queue.length > 0) plan()
  }
  const plan = () => {
    cancel = timers.after(pauseMs, check)
  }

  return {
    watch<T>(promise: Promise<T>) {
      return new Promise<T>((resolve, reject) => {
        const entry: Waiting = { endsAt: timers.now() + deadlineMs, round, done: false, reject }
        promise.then(
          (value) => {
            entry.done = true
            resolve(value)
          },
          (error: Error) => {
            entry.done = true
            reject(error)
          },
        )
        queue.push(entry)
        if (cancel === undefined) plan()
      })
    },
    endAll() {
      cancel?.()
      cancel = undefined
      for (const entry of queue) {
        if (entry.done) continue
        entry.done = true
        entry.reject(makeError())
      }
      queue = []
    },
  }
}
