/**
 * Loads from the store that are under way: equal questions share one, and an answer that was overtaken by a change
 * is never kept. Without the second a slow read that began before a removal would bring the removed key back.
 */
export interface Load<T> {
  readonly promise: Promise<T>
  /** Names whose change makes the answer too old to be kept. */
  readonly names: readonly string[]
  overtaken: boolean
}

export interface Loads<T> {
  /** Nothing is under way. */
  readonly isIdle: boolean
  get(question: string): Promise<T> | undefined
  /** Runs a load; `keep` gets its answer unless a change of one of the names overtook it. */
  run(question: string, names: readonly string[], promise: Promise<T>, keep: (value: T) => void): Promise<T>
  /** What is stored under the name changed: who asks from now on reads anew. */
  overtake(name: string): void
  overtakeAll(): void
}

export function makeLoads<T>(): Loads<T> {
  const running = new Map<string, Load<T>>()
  const drop = (question: string, load: Load<T>) => {
    load.overtaken = true
    running.delete(question)
  }
  return {
    get isIdle() {
      return running.size === 0
    },
    get: (question) => running.get(question)?.promise,
    run(question, names, source, keep) {
      const finish = () => {
        if (running.get(question) === load) running.delete(question)
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
      const load: Load<T> = { promise, names, overtaken: false }
      running.set(question, load)
      return promise
    },
    overtake(name) {
      for (const [question, load] of running) if (load.names.includes(name)) drop(question, load)
    },
    overtakeAll() {
      for (const [question, load] of running) drop(question, load)
    },
  }
}
