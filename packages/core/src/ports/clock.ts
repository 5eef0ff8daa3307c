import type { Millis } from '../lib/text/time.ts'

export type { Millis }

/** Cancels a scheduled call; has no effect after the call ran. */
export type Cancel = () => void

/** The engine's only source of time, so that tests and simulations can use a virtual clock. */
export interface Clock {
  now(): Millis
  /** Calls `fn` once after `delayMs`. A pending call never keeps the process alive. */
  after(delayMs: Millis, fn: () => void): Cancel
  /** Yields to the event loop. Long work calls it between slices, so that requests do not wait for it. */
  breathe(): Promise<void>
}

/**
 * Returns whether a time has been reached; Infinity never is. The clock is read only for finite times, because reading it
 * costs as much as the rest of a session cache lookup.
 */
export function hasCome(moment: Millis, clock: Pick<Clock, 'now'>): boolean {
  return moment !== Number.POSITIVE_INFINITY && clock.now() >= moment
}
