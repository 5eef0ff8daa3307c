/**
 * Does slow things one after the other, a few at once, behind the back of whoever asks for them. Bounded: what finds
 * no room is dropped and counted, so that a web hook that hangs costs neither memory nor other hooks' time.
 */
import type { Clock } from '../../ports/clock.ts'

export interface DeliveryQueue<T> {
  /** False: there was no room. */
  push(item: T): boolean
}

export interface DeliveryOptions<T> {
  readonly clock: Pick<Clock, 'breathe'>
  /** Must not reject. */
  readonly deliver: (item: T) => Promise<void>
  /** Most that wait; 1,000 by default. */
  readonly maxWaiting?: number
  /** Most under way at once; 4 by default. */
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
    // The request that fired has its answer first.
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
