/**
 * An end for calls that get no reply. All calls have the same time, so they end in the order in which they began: one
 * queue and one slow timer do, and a call costs no timer of its own.
 *
 * A process that was held up itself finds its replies waiting in the socket. So a call ends only when its time is over
 * and the queue was looked through twice since: in between, the replies had their turn.
 */
import { processTimers, type Timers } from './timers.ts'

export interface CallDeadlines {
  /** Settles as the promise does, or rejects with `makeError()` when its time is over. */
  watch<T>(promise: Promise<T>): Promise<T>
  /** Ends all that waits. */
  endAll(): void
}

interface Waiting {
  readonly endsAt: number
  readonly round: number
  done: boolean
  readonly reject: (error: Error) => void
}

const looksPerDeadline = 10

export function makeCallDeadlines(
  deadlineMs: number,
  makeError: () => Error,
  timers: Timers = processTimers,
): CallDeadlines {
  let queue: Waiting[] = []
  let round = 0
  let cancel: (() => void) | undefined
  const pauseMs = Math.max(5, Math.ceil(deadlineMs / looksPerDeadline))

  const look = () => {
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
    cancel = timers.after(pauseMs, look)
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
