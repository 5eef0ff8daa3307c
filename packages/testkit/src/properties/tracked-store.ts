/** A store that counts its pending calls, so that a test can set the time before each call and wait for all calls. */
import { isPromise, type Store } from '@turnpike/core'

export interface CallTracker {
  /** Number of pending calls. */
  underWay: number
  /** Called before each store call. */
  before(): void
}

const watchedParts = ['sessions', 'organisations', 'counters', 'responses', 'records'] as const

/** Wraps all parts of the store. Methods that the store lacks stay undefined. */
export function trackedStore(store: Store, watch: CallTracker): Store {
  const parts = watchedParts.map((part) => [part, watchedPart(store[part], watch)])
  return { ...store, ...Object.fromEntries(parts) }
}

function watchedPart<T extends object>(part: T, watch: CallTracker): T {
  return new Proxy(part, {
    get(target, name) {
      const verb: unknown = Reflect.get(target, name, target)
      if (typeof verb !== 'function') return verb
      return (...args: unknown[]) => {
        watch.before()
        const answer: unknown = Reflect.apply(verb, target, args)
        if (!isPromise(answer)) return answer
        watch.underWay += 1
        return answer.finally(() => {
          watch.underWay -= 1
        })
      }
    },
  })
}
