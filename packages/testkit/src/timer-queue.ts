/** A binary heap of timers, ordered by time and then by creation. Cancelled timers are skipped when they become due. */
import type { Millis } from '@turnpike/core/lib'
import type { Cancel } from '@turnpike/core/ports'

interface Timer {
  readonly at: Millis
  readonly serial: number
  fire: () => void
  state: 'waiting' | 'done'
}

export class TimerQueue {
  private readonly heap: Timer[] = []
  private serial = 0
  private waiting = 0

  get size(): number {
    return this.waiting
  }

  add(at: Millis, fire: () => void): Cancel {
    const timer: Timer = { at, serial: this.serial, fire, state: 'waiting' }
    this.serial += 1
    this.waiting += 1
    this.heap.push(timer)
    this.siftUp(this.heap.length - 1)
    return () => {
      if (timer.state === 'done') return
      timer.state = 'done'
      timer.fire = () => {}
      this.waiting -= 1
    }
  }

  /** Removes and returns the first timer that is due at `until`, or `undefined` if there is none. */
  takeDue(until: Millis): Timer | undefined {
    for (let first = this.heap[0]; first !== undefined && first.at <= until; first = this.heap[0]) {
      this.removeFirst()
      if (first.state === 'done') continue
      first.state = 'done'
      this.waiting -= 1
      return first
    }
    return undefined
  }

  private removeFirst(): void {
    const last = this.heap.pop()
    if (last === undefined || this.heap.length === 0) return
    this.heap[0] = last
    this.siftDown(0)
  }

  private siftUp(from: number): void {
    let child = from
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (!this.swapIfLater(parent, child)) return
      child = parent
    }
  }

  private siftDown(from: number): void {
    let parent = from
    for (;;) {
      const left = 2 * parent + 1
      if (left >= this.heap.length) return
      const right = left + 1
      const child = right < this.heap.length && this.isLater(left, right) ? right : left
      if (!this.swapIfLater(parent, child)) return
      parent = child
    }
  }

  private isLater(a: number, b: number): boolean {
    const first = this.heap[a] as Timer
    const second = this.heap[b] as Timer
    return first.at > second.at || (first.at === second.at && first.serial > second.serial)
  }

  private swapIfLater(parent: number, child: number): boolean {
    if (!this.isLater(parent, child)) return false
    const timer = this.heap[parent] as Timer
    this.heap[parent] = this.heap[child] as Timer
    this.heap[child] = timer
    return true
  }
}
