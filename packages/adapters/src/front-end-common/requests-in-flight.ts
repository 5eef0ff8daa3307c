/** Counts requests in flight, so that a closing server can wait for the last one. */
export interface RequestsInFlight {
  begin(): void
  end(): void
  readonly count: number
  /** Resolves to true once no request is in flight, or to false after `graceMs` milliseconds. */
  whenIdle(graceMs: number): Promise<boolean>
}

export function makeRequestsInFlight(): RequestsInFlight {
  let count = 0
  let idle: (() => void) | undefined
  return {
    begin() {
      count++
    },
    end() {
      count--
      if (count === 0) idle?.()
    },
    get count() {
      return count
    },
    whenIdle(graceMs) {
      if (count === 0) return Promise.resolve(true)
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), graceMs)
        idle = () => {
          clearTimeout(timer)
          resolve(true)
        }
      })
    },
  }
}
