/** Collects changes and runs all changes of one event loop iteration in one commit. */

/** A change that waits for the next commit. */
interface Waiting {
  run(): void
  resolve(): void
  reject(cause: unknown): void
}

export class TurnQueue {
  private readonly commit: (run: () => void) => Promise<void>
  private readonly atTurnEnd: (fn: () => void) => void
  private waiting: Waiting[] = []
  private running: Promise<void> = Promise.resolve()

  /** `commit` calls `run` and resolves when the changes are in the store. `atTurnEnd` calls `fn` in the same iteration. */
  constructor(commit: (run: () => void) => Promise<void>, atTurnEnd: (fn: () => void) => void) {
    this.commit = commit
    this.atTurnEnd = atTurnEnd
  }

  /** Resolves with the result of `act` after the commit; rejects if it fails. */
  add<T>(act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let result: T
      const entry: Waiting = {
        run() {
          result = act()
        },
        resolve: () => resolve(result),
        reject,
      }
      if (this.waiting.push(entry) > 1) return
      this.atTurnEnd(() => {
        this.running = this.flush()
      })
    })
  }

  /** Resolves when all changes so far have been committed. */
  async settled(): Promise<void> {
    while (this.waiting.length > 0) await new Promise((resolve) => setImmediate(resolve))
    await this.running
  }

  private async flush(): Promise<void> {
    const batch = this.waiting
    this.waiting = []
    try {
      await this.commit(() => {
        for (const { run } of batch) run()
      })
      for (const { resolve } of batch) resolve()
    } catch (cause) {
      for (const { reject } of batch) reject(cause)
    }
  }
}
