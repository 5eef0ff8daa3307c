/**
 * A clock that only advances when a test calls `advance`, `run` or `moveTo`. A simulation on it runs as fast as the
 * processor allows, and every run can be repeated exactly.
 *
 * As on a real machine, timers use a monotonic time that is independent of the time of day: `set` neither fires nor
 * delays a timer.
 */
import type { Millis } from '@turnpike/core/lib'
import type { Clock } from '@turnpike/core/ports'
import { aFunction, aNumber, anAmountOfTime, checkInput } from './check-input.ts'
import { TimerQueue } from './timer-queue.ts'

export interface VirtualClock extends Clock {
  /**
   * Advances the time by `ms` milliseconds and fires every timer that becomes due, in order of time and then of creation,
   * including timers that callbacks create. Promise reactions run only when the caller awaits; see `run`.
   */
  advance(ms: Millis): void
  /** Like `advance`, but runs pending promise reactions after each timer before the time advances further. */
  run(ms: Millis): Promise<void>
  /** Sets the time of day, forward or back, without advancing the time of timers. */
  set(now: Millis): void
  /** Calls `advance` if `at` is in the future, else `set`. */
  moveTo(at: Millis): void
  /** Timers that have not fired. */
  readonly pending: number
}

/** 2026-01-01T00:00:00Z. Windows of common lengths (seconds to a day) begin at this instant. */
export const virtualEpoch: Millis = 1_767_225_600_000

/** Microtask turns that `run` and `breathe` wait for. Longer promise chains continue after the next timer. */
const turnsPerSettling = 64

/**
 * Makes a clock whose time is `start` (milliseconds since 1970; default `virtualEpoch`). `run` and `breathe` await
 * `settle`, by default 64 microtask turns. Pass another function if the code under test waits for sockets or disks.
 */
export function makeVirtualClock(
  start: Millis = virtualEpoch,
  settle: () => Promise<void> = settlePromises,
): VirtualClock {
  checkInput('makeVirtualClock', 'the start', start, aNumber)
  checkInput('makeVirtualClock', 'settle', settle, aFunction)
  const timers = new TimerQueue()
  // Milliseconds since the clock was made. The time of day is this plus an offset that `set` changes.
  let elapsed = 0
  let offset = start

  const fireNext = (until: Millis): boolean => {
    const timer = timers.takeDue(until)
    if (timer === undefined) return false
    elapsed = Math.max(elapsed, timer.at)
    timer.fire()
    return true
  }

  const advance = (ms: Millis) => {
    checkInput('advance', 'the time', ms, anAmountOfTime)
    const until = elapsed + ms
    while (fireNext(until));
    elapsed = until
  }
  const set = (now: Millis) => {
    checkInput('set', 'the time', now, aNumber)
    offset = now - elapsed
  }

  return {
    now: () => offset + elapsed,
    after(delayMs, fn) {
      return timers.add(elapsed + Math.max(0, delayMs), fn)
    },
    breathe: settle,
    advance,
    async run(ms) {
      checkInput('run', 'the time', ms, anAmountOfTime)
      const until = elapsed + ms
      await settle()
      while (fireNext(until)) await settle()
      elapsed = until
    },
    set,
    moveTo(at) {
      checkInput('moveTo', 'the time', at, aNumber)
      const now = offset + elapsed
      if (at > now) advance(at - now)
      else set(at)
    },
    get pending() {
      return timers.size
    },
  } satisfies VirtualClock
}

async function settlePromises(): Promise<void> {
  for (let turn = 0; turn < turnsPerSettling; turn += 1) await Promise.resolve()
}
