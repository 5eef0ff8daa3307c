/**
 * A clock that moves only when it is told to. The whole gateway runs on it as fast as the processor allows, and a run
 * can be repeated exactly.
 *
 * As on a real machine, timers do not follow the time of day: setting the clock forward or back fires nothing and puts
 * nothing off; only `advance` and `run` let time pass.
 */
import type { Clock, Millis } from '@turnpike/core'
import { TimerQueue } from './timer-queue.ts'

export interface VirtualClock extends Clock {
  /**
   * Lets time pass: fires what falls due, in order of time and then of planning, each at its own instant, also what
   * is planned on the way. Work that waits for promises goes on only after the caller itself waits: see `run`.
   */
  advance(ms: Millis): void
  /** Like `advance`, and after each timer lets pending promises do their work before time goes on. */
  run(ms: Millis): Promise<void>
  /** Sets the time of day, forward or back, without letting time pass. */
  set(now: Millis): void
  /** `advance` when `at` lies ahead, `set` when it lies behind. */
  moveTo(at: Millis): void
  /** Timers that have not fired. */
  readonly pending: number
}

/** 2026-01-01T00:00:00Z: a whole day, so that windows of common lengths begin at it. */
export const virtualEpoch: Millis = 1_767_225_600_000

/** Turns of the promise queue that `run` and `breathe` wait; longer chains are continued at the next timer. */
const turnsPerSettling = 64

/**
 * Makes a clock that stands at `start`; default: `virtualEpoch`. `settle`: what `run` and `breathe` wait for; default:
 * pending promises. Whoever waits for sockets or disks gives one of its own.
 */
export function makeVirtualClock(
  start: Millis = virtualEpoch,
  settle: () => Promise<void> = settlePromises,
): VirtualClock {
  const timers = new TimerQueue()
  // Time since the clock was made; the time of day is this plus an offset that `set` changes.
  let passed = 0
  let offset = start

  const fireNext = (until: Millis): boolean => {
    const timer = timers.takeDue(until)
    if (timer === undefined) return false
    passed = Math.max(passed, timer.at)
    timer.fire()
    return true
  }

  const advance = (ms: Millis) => {
    const until = passed + ms
    while (fireNext(until));
    passed = until
  }
  const set = (now: Millis) => {
    offset = now - passed
  }

  return {
    now: () => offset + passed,
    after(delayMs, fn) {
      return timers.add(passed + Math.max(0, delayMs), fn)
    },
    breathe: settle,
    advance,
    async run(ms) {
      const until = passed + ms
      await settle()
      while (fireNext(until)) await settle()
      passed = until
    },
    set,
    moveTo(at) {
      const now = offset + passed
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
