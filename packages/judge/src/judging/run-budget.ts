/** What a run may use: time, requests, and requests per second. */
import { clockMs } from '@turnpike/exchange'

/** The time of a run: that of this machine, or a virtual one. Instants are ms since the Unix epoch. */
export interface Timer {
  now(): number
  /** Resolves when the clock shows the instant, or as soon as the run is stopped. */
  sleepUntil(instant: number): Promise<void>
}

export interface Budget {
  readonly timer: Timer
  readonly startedAt: number
  /** The end of the time; the present once the run is stopped. */
  readonly deadline: number
  readonly maxRequests: number
  /** Requests per second; `undefined` without a cap. */
  readonly maxRate: number | undefined
  sent(): number
  /** Requests that are left. */
  left(): number
  /**
   * Reserves requests; false if the budget has fewer left. With `isSearch`, a part of the requests is kept for the
   * repetitions of what is found.
   */
  reserve(requests: number, isSearch?: boolean): boolean
  /** Waits until the cap allows another request. */
  pace(): Promise<void>
  isStopped(): boolean
}

/** Share of the requests with which mistakes are looked for. The rest is for shrinking and repeating them. */
const searchShare = 0.7

export function makeBudget(options: {
  readonly seconds: number
  readonly maxRequests: number
  readonly maxRate: number | undefined
  /** Default: the clock of this machine. */
  readonly timer?: Timer | undefined
  /** Ends the run early. */
  readonly signal?: AbortSignal | undefined
}): Budget {
  const { maxRequests, maxRate, signal, timer = machineTimer(signal) } = options
  const startedAt = timer.now()
  const deadline = startedAt + options.seconds * 1000
  let used = 0
  let nextAt = startedAt
  return {
    timer,
    startedAt,
    get deadline() {
      return signal?.aborted === true ? Math.min(deadline, timer.now()) : deadline
    },
    maxRequests,
    maxRate,
    sent: () => used,
    left: () => maxRequests - used,
    reserve(requests, isSearch = false) {
      if (used + requests > (isSearch ? Math.floor(searchShare * maxRequests) : maxRequests)) return false
      used += requests
      return true
    },
    async pace() {
      if (maxRate === undefined) return
      const at = Math.max(timer.now(), nextAt)
      nextAt = at + 1000 / maxRate
      await timer.sleepUntil(at)
    },
    isStopped: () => signal?.aborted === true,
  }
}

function machineTimer(signal: AbortSignal | undefined): Timer {
  return {
    now: clockMs,
    async sleepUntil(instant) {
      // Timers may fire a millisecond early.
      for (let left = instant - clockMs(); left > 0 && signal?.aborted !== true; left = instant - clockMs())
        await waitFor(Math.ceil(left), signal)
    },
  }
}

function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timeout)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timeout = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
