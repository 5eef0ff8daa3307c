/** Counts requests in flight, so that a closing server can wait for the last one. */
export class RequestsInFlight {
  count = 0
  private onIdle: (() => void) | undefined = undefined

  begin(): void {
    this.count++
  }

  end(): void {
    this.count--
    if (this.count === 0) this.onIdle?.()
  }

  /** Resolves to true once no request is in flight, or to false after `graceMs` milliseconds. */
  whenIdle(graceMs: number): Promise<boolean> {
    if (this.count === 0) return Promise.resolve(true)
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), graceMs)
      this.onIdle = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }
}
