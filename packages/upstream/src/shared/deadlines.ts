/**
 * Timeouts of many calls with one timer per duration. Calls with the same duration expire in the order in which they were
 * last watched, so a linked list with a timer for its head is enough. Watching and unwatching a call allocates nothing.
 */
import type { Millis } from '@turnpike/core/lib'
import type { Clock } from '@turnpike/core/ports'

/** An entry with a timeout. Only the queue accesses the `timed…` fields. */
export interface Timed {
  timedQueue: DeadlineQueue | undefined
  timedBefore: Timed | undefined
  timedAfter: Timed | undefined
  timedSince: Millis
  /** Called when the timeout has passed. The entry is unwatched before. */
  expire(): void
}

/** All deadlines of one upstream adapter. */
export class Deadlines {
  private readonly clock: Clock
  private readonly queues = new Map<Millis, DeadlineQueue>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** Starts or restarts the timeout of an entry. 0 or less means no timeout. */
  watch(timed: Timed, delayMs: Millis): void {
    unwatch(timed)
    if (delayMs > 0) this.queueOf(delayMs).append(timed)
  }

  private queueOf(delayMs: Millis): DeadlineQueue {
    let queue = this.queues.get(delayMs)
    if (queue === undefined) {
      queue = new DeadlineQueue(this.clock, delayMs)
      this.queues.set(delayMs, queue)
    }
    return queue
  }
}

/** Restarts the timeout of an entry if it is watched. */
export function rewatch(timed: Timed): void {
  const queue = timed.timedQueue
  if (queue === undefined) return
  unwatch(timed)
  queue.append(timed)
}

/** Stops the timeout of an entry. Does nothing if it is not watched. */
export function unwatch(timed: Timed): void {
  timed.timedQueue?.remove(timed)
}

/** Entries with the same timeout, the oldest first. */
export class DeadlineQueue {
  private readonly clock: Clock
  private readonly delayMs: Millis
  private head: Timed | undefined = undefined
  private tail: Timed | undefined = undefined
  private armed = false

  constructor(clock: Clock, delayMs: Millis) {
    this.clock = clock
    this.delayMs = delayMs
  }

  append(timed: Timed): void {
    timed.timedQueue = this
    timed.timedSince = this.clock.now()
    timed.timedBefore = this.tail
    if (this.tail === undefined) this.head = timed
    else this.tail.timedAfter = timed
    this.tail = timed
    if (!this.armed) this.arm(this.delayMs)
  }

  remove(timed: Timed): void {
    if (timed.timedBefore === undefined) this.head = timed.timedAfter
    else timed.timedBefore.timedAfter = timed.timedAfter
    if (timed.timedAfter === undefined) this.tail = timed.timedBefore
    else timed.timedAfter.timedBefore = timed.timedBefore
    timed.timedQueue = timed.timedBefore = timed.timedAfter = undefined
  }

  // The timer is not cancelled if its entry is removed, because it fires at most once per duration.
  private arm(delayMs: Millis): void {
    this.armed = true
    this.clock.after(delayMs, () => {
      this.armed = false
      this.expireDue()
    })
  }

  private expireDue(): void {
    const now = this.clock.now()
    let head = this.head
    // If the clock was set back, entries that start in the future are restarted now, so that they still expire.
    while (head !== undefined && (now - head.timedSince >= this.delayMs || head.timedSince > now)) {
      if (head.timedSince > now) {
        head.timedSince = now
        break
      }
      this.remove(head)
      head.expire()
      head = this.head
    }
    if (head !== undefined && !this.armed) this.arm(Math.max(1, head.timedSince + this.delayMs - now))
  }
}
