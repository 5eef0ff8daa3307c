/** Limits how many workers start at once in advance of calls, so that a reload of many APIs does not use all processors. */
export class StartGate {
  private readonly maxStarting: number
  private readonly pending: (() => void)[] = []
  private running = 0

  constructor(maxStarting: number) {
    this.maxStarting = maxStarting
  }

  /** Calls `start` as soon as fewer workers than the limit are starting. If `start` starts a worker, it calls `starting()`. */
  whenFree(start: () => void): void {
    this.pending.push(start)
    this.advance()
  }

  /** A worker begins to start. */
  starting(): void {
    this.running++
  }

  /** A worker has started, or has failed to. */
  started(): void {
    this.running--
    this.advance()
  }

  private advance(): void {
    while (this.running < this.maxStarting) {
      const start = this.pending.shift()
      if (start === undefined) return
      start()
    }
  }
}
