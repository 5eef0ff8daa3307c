/**
 * A bounded background queue with limited concurrency. Items that exceed the bound are rejected, so that a hanging web
 * hook neither uses unbounded memory nor delays other hooks.
 */
import type { Clock } from '../../ports/clock.ts'

export interface DeliveryQueue<T> {
  /** Returns false if the queue is full. */
  push(item: T): boolean
}

export interface DeliveryOptions<T> {
  readonly clock: Pick<Clock, 'breathe'>
  /** Must not reject. */
  readonly deliver: (item: T) => Promise<void>
  /** Maximum queued items. Default: 1,000. */
  readonly maxWaiting?: number
  /** Maximum concurrent deliveries. Default: 4. */
  readonly atOnce?: number
}

export function makeDeliveryQueue<T>({
  clock,
  deliver,
  maxWaiting = 1000,
  atOnce = 4,
}: DeliveryOptions<T>): DeliveryQueue<T> {
  let waiting: T[] = []
  let next = 0
  let running = 0

  const take = (): T | undefined => {
    if (next === waiting.length) return undefined
    const item = waiting[next++]
    if (next === waiting.length) {
      waiting = []
      next = 0
    }
    return item
  }
  const work = async (): Promise<void> => {
    // Lets the response of the request that fired the event go out first.
    await clock.breathe()
    for (let item = take(); item !== undefined; item = take()) await deliver(item)
    running--
  }

  return {
    push(item) {
      if (waiting.length - next >= maxWaiting) return false
      waiting.push(item)
      if (running < atOnce) {
        running++
        void work()
      }
      return true
    },
  }
}
