/**
 * Single-flight loads from the store: concurrent loads of the same query share one read. The result is not cached if a
 * change arrived during the load; otherwise a slow read that started before a removal would restore the removed key.
 */
import { isPromise, type Maybe } from '../lib/maybe.ts'

interface Flight<T> {
  readonly promise: Promise<T>
  /** Names whose change makes the result stale. */
  readonly names: readonly string[]
  overtaken: boolean
}

export class SingleFlight<T> {
  private readonly running = new Map<string, Flight<T>>()

  /**
   * Returns the result of the running load of this query, or starts one with `read`. `keep` receives the result, unless
   * `overtake` with one of the names or `overtakeAll` was called during the load. `names` is only called if `read`
   * returns a promise.
   */
  load(query: string, read: () => Maybe<T>, names: () => readonly string[], keep: (value: T) => void): Maybe<T> {
    const running = this.running.get(query)
    if (running !== undefined) return running.promise
    const found = read()
    if (!isPromise(found)) {
      keep(found)
      return found
    }
    const promise = found
      .then((value) => {
        if (!flight.overtaken) keep(value)
        return value
      })
      .finally(() => {
        if (this.running.get(query) === flight) this.running.delete(query)
      })
    const flight: Flight<T> = { promise, names: names(), overtaken: false }
    this.running.set(query, flight)
    return promise
  }

  /** The stored value of this name changed: running loads of it are stale, and the next `load` reads again. */
  overtake(name: string): void {
    for (const [query, flight] of this.running) if (flight.names.includes(name)) this.drop(query, flight)
  }

  /** All running loads are stale, for example because policies changed. */
  overtakeAll(): void {
    for (const [query, flight] of this.running) this.drop(query, flight)
  }

  private drop(query: string, flight: Flight<T>): void {
    flight.overtaken = true
    this.running.delete(query)
  }
}
