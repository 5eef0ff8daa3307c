/**
 * Smoothing: an allowance replaces the rate and follows the load between a threshold and the rate.
 * Source: docs/reference/rate-limits.md#smoothing.
 */
import type { Millis } from '../ports/clock.ts'
import type { Smoothing } from '../ports/rate-limit.ts'

/** The allowance of one counter. Changed in place by `moveAllowance`. */
export interface SmoothingState {
  /** Requests in a window. */
  allowance: number
  /** The allowance does not change before this moment. */
  nextChangeAt: Millis
}

/** The state at a counter's first request: the allowance is the threshold, and the delay starts. */
export function freshSmoothing(now: Millis, rate: number, smoothing: Smoothing): SmoothingState {
  return { allowance: Math.min(smoothing.threshold, rate), nextChangeAt: now + smoothing.delay * 1000 }
}

/** The current allowance: the threshold before the first request, and never more than the rate. */
export function allowanceOf(state: SmoothingState | undefined, rate: number, smoothing: Smoothing): number {
  return Math.floor(Math.min(rate, state?.allowance ?? smoothing.threshold))
}

/**
 * Changes the allowance by at most one step and returns the direction. `count` is the number of requests in the window
 * before this one. The new allowance already applies to this request.
 */
export function moveAllowance(
  state: SmoothingState,
  now: Millis,
  rate: number,
  smoothing: Smoothing,
  count: number,
): 'up' | 'down' | undefined {
  if (now < state.nextChangeAt) return undefined
  const { allowance } = state
  const margin = smoothing.trigger * smoothing.step
  let moved = allowance
  if (count >= allowance - margin) moved = Math.min(rate, allowance + smoothing.step)
  else if (count <= allowance - smoothing.step - margin) {
    moved = Math.max(Math.min(smoothing.threshold, rate), allowance - smoothing.step)
  }
  if (moved === allowance) return undefined
  state.allowance = moved
  state.nextChangeAt = now + smoothing.delay * 1000
  return moved > allowance ? 'up' : 'down'
}
