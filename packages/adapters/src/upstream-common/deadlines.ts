/**
 * Deadlines of many calls for the price of one timer per length of time. Calls of one length expire in the order in
 * which they were last watched, so a linked list and a timer for its head do; watching and unwatching a call costs
 * two pointer moves and no object.
 */
import type { Clock, Millis } from '@turnpike/core'

/** Something that may take too long. The links are the queue's own. */
export interface Timed {
  timedQueue: DeadlineQueue | undefined
  timedBefore: Timed | undefined
  timedAfter: Timed | undefined
  timedSince: Millis
  /** Called when the time has passed; the entry is unwatched then. */
  expire(): void
}

/** All deadlines of one upstream adapter. */
export class Deadlines {
  private readonly clock: Clock
  private readonly queues = new Map<Millis, DeadlineQueue>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** Watches the entry anew from now on; 0 or less: no limit. */
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

/** Starts the entry's time anew, when it is watched at all. */
export function rewatch(timed: Timed): void {
  const queue = timed.timedQueue
  if (queue === undefined) return
  unwatch(timed)
  queue.append(timed)
}

/** Takes the entry off its queue; harmless when it is on none. */
export function unwatch(timed: Timed): void {
  timed.timedQueue?.remove(timed)
}

/** Entries with one length of time, the oldest first. */
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

  // The timer is not taken back when its entry goes: it fires once per length of time at most and looks again then.
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
    // A clock that was set back must not stretch a deadline for hours: what lies ahead of now counts from now.
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
