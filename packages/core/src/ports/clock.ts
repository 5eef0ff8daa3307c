import type { Millis } from '../lib/text/time.ts'

export type { Millis }

/** Takes a planned call back; harmless when it already ran. */
export type Cancel = () => void

/** All time of the engine. On a virtual clock the whole gateway runs as fast as the processor allows. */
export interface Clock {
  now(): Millis
  /** Calls `fn` once after `delayMs`. A pending call never keeps the process alive. */
  after(delayMs: Millis, fn: () => void): Cancel
  /** Resolves after other work had its turn; long work calls it between slices so that no request waits for it. */
  breathe(): Promise<void>
}

/**
 * Whether a moment has come; Infinity never does. The clock is asked only where that matters: to tell the time costs as
 * much as all else that finding a key in memory takes.
 */
export function hasCome(moment: Millis, clock: Pick<Clock, 'now'>): boolean {
  return moment !== Number.POSITIVE_INFINITY && clock.now() >= moment
}
