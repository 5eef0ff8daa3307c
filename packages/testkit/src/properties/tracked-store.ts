/** A store whose calls are watched: the time is told to it before each, and whoever moves the time can wait for all. */
import { isPromise, type Store } from '@turnpike/core'

export interface CallTracker {
  /** Calls that were made and are not answered. */
  underWay: number
  /** Before each call. */
  before(): void
}

const watchedParts = ['sessions', 'organisations', 'counters', 'responses', 'records'] as const

/** The store, watched in all its verbs; those that it lacks are lacking. */
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
