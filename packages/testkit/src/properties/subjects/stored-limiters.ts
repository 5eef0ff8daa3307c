/**
 * The textbook limiters with their state in the records of a store. Each call reads the state, decides, and writes it
 * with a lifetime after which the limiter would equal a new one. Properties 3 to 5 hold if the store returns each
 * record unchanged for exactly its lifetime. Calls must be sequential, because nothing locks the record.
 */
import type { Millis } from '@turnpike/core'
import { makeGcra } from '../../limiters/gcra.ts'
import { makeLeakyMeter } from '../../limiters/leaky-meter.ts'
import type { Limiter } from '../../limiters/limiter.ts'
import { makeSlidingCounter } from '../../limiters/sliding-counter.ts'
import { makeTokenBucket } from '../../limiters/token-bucket.ts'
import { uniqueCounterName } from '../store-counters.ts'
import type { StoreEnvironment } from '../store-environments.ts'
import type { FlowSubject, SlidingSubject } from './textbook-rates.ts'

/** Token bucket, leaky meter and GCRA on this store. */
export function flowsOnStore(environment: StoreEnvironment): readonly FlowSubject[] {
  const makers = { 'token bucket': makeTokenBucket, 'leaky meter': makeLeakyMeter, gcra: makeGcra }
  return Object.entries(makers).map(([name, make]) => ({
    name,
    make(limit) {
      const ask = storedLimiter(environment, (kept) => make(limit, kept))
      return { take: (key, at, amount) => ask(key, at, (limiter) => limiter.take(at, amount)) }
    },
  }))
}

/** The sliding counter on this store. */
export function slidingOnStore(environment: StoreEnvironment): SlidingSubject {
  return {
    name: 'sliding counter',
    make(limit) {
      const ask = storedLimiter(environment, (kept) => makeSlidingCounter(limit, kept))
      return {
        take: (key, at, amount) => ask(key, at, (counter) => counter.take(at, amount)),
        estimate: (key, at) => ask(key, at, (counter) => counter.estimate(at)),
      }
    },
  }
}

function storedLimiter<L extends Limiter>({ store, moveTo }: StoreEnvironment, make: (kept?: readonly number[]) => L) {
  const { records } = store
  const prefix = uniqueCounterName('limiter')
  return async <T>(key: string, at: Millis, use: (limiter: L) => T): Promise<T> => {
    await moveTo(at)
    const name = `${prefix}-${key}`
    const text = await records.get(name)
    const limiter = make(text === undefined ? undefined : (JSON.parse(text) as number[]))
    const said = use(limiter)
    const state = limiter.state()
    if (state !== undefined) await records.put(name, JSON.stringify(state.numbers), state.forgettableAt - at)
    return said
  }
}
