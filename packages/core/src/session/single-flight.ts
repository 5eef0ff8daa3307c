/**
 * Single-flight loads from the store. Concurrent loads of the same query share one promise. The result is not cached if
 * a change arrived during the load; otherwise a slow read that started before a removal would restore the removed key.
 */
export interface Flight<T> {
  readonly promise: Promise<T>
  /** Names whose change makes the result stale. */
  readonly names: readonly string[]
  overtaken: boolean
}

export interface SingleFlight<T> {
  /** True if no load is running. */
  readonly isIdle: boolean
  get(query: string): Promise<T> | undefined
  /** Registers a running load. Calls `keep` with the result unless one of the names changed during the load. */
  run(query: string, names: readonly string[], promise: Promise<T>, keep: (value: T) => void): Promise<T>
  /** The stored value of this name changed: running loads of it are stale, and the next `get` finds none. */
  overtake(name: string): void
  overtakeAll(): void
}

export function makeSingleFlight<T>(): SingleFlight<T> {
  const running = new Map<string, Flight<T>>()
  const drop = (query: string, load: Flight<T>) => {
    load.overtaken = true
    running.delete(query)
  }
  return {
    get isIdle() {
      return running.size === 0
    },
    get: (query) => running.get(query)?.promise,
    run(query, names, source, keep) {
      const finish = () => {
        if (running.get(query) === load) running.delete(query)
      }
      const promise = source.then(
        (value) => {
          finish()
          if (!load.overtaken) keep(value)
          return value
        },
        (error: unknown) => {
          finish()
          throw error
        },
      )
      const load: Flight<T> = { promise, names, overtaken: false }
      running.set(query, load)
      return promise
    },
    overtake(name) {
      for (const [query, load] of running) if (load.names.includes(name)) drop(query, load)
    },
    overtakeAll() {
      for (const [query, load] of running) drop(query, load)
    },
  }
}
