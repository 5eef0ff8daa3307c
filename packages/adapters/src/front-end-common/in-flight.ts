/** Counts requests in flight, so that a server that closes knows when the last one is done. */
export interface InFlight {
  begin(): void
  end(): void
  readonly count: number
  /** Resolves true when nothing is in flight any more, false when `graceMs` passed before. */
  settle(graceMs: number): Promise<boolean>
}

export function makeInFlight(): InFlight {
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
    settle(graceMs) {
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
