/** What a run may use: time, requests, and requests per second. */
import { clockMs } from '@turnpike/exchange'

export interface Budget {
  /** Instants on the clock of `clockMs`. */
  readonly startedAt: number
  readonly deadline: number
  readonly maxRequests: number
  /** Requests per second; `undefined` without a cap. */
  readonly maxRate: number | undefined
  sent(): number
  /** Reserves requests; false if the budget has fewer left. */
  reserve(requests: number): boolean
  /** Waits until the cap allows another request. */
  pace(): Promise<void>
}

export function makeBudget(options: {
  readonly seconds: number
  readonly maxRequests: number
  readonly maxRate: number | undefined
}): Budget {
  const startedAt = clockMs()
  let used = 0
  let nextAt = startedAt
  return {
    startedAt,
    deadline: startedAt + options.seconds * 1000,
    maxRequests: options.maxRequests,
    maxRate: options.maxRate,
    sent: () => used,
    reserve(requests) {
      if (used + requests > options.maxRequests) return false
      used += requests
      return true
    },
    async pace() {
      if (options.maxRate === undefined) return
      const at = Math.max(clockMs(), nextAt)
      nextAt = at + 1000 / options.maxRate
      await sleepUntil(at)
    },
  }
}

/** Waits until the clock shows the instant. Timers may fire a millisecond early. */
export async function sleepUntil(instant: number): Promise<void> {
  for (let left = instant - clockMs(); left > 0; left = instant - clockMs()) {
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(left)))
  }
}
