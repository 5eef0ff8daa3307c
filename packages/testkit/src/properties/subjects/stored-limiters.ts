/**
 * The textbook limiters with their state in the records of a store. Each call reads the state, decides, and writes it
 * with a lifetime after which the limiter would equal a new one. Properties 3 to 5 hold if the store returns each
 * record unchanged for exactly its lifetime. Calls must be sequential, because nothing locks the record.
 */

import type { StoreEnvironment } from '../store-environments.ts'
import { uniqueCounterName } from '../subject-counters.ts'
import type { KeepLimiters } from './textbook-rates.ts'

/** Keeps limiters in the records of this store. */
export function keepInRecords({ store, moveTo }: StoreEnvironment): KeepLimiters {
  const { records } = store
  return (make) => {
    const prefix = uniqueCounterName('limiter')
    return async (key, at, use) => {
      await moveTo(at)
      const name = `${prefix}-${key}`
      const text = await records.get(name)
      const limiter = make(text === undefined ? undefined : (JSON.parse(text) as number[]))
      const result = use(limiter)
      const state = limiter.state()
      if (state !== undefined) await records.put(name, JSON.stringify(state.numbers), state.forgettableAt - at)
      return result
    }
  }
}
