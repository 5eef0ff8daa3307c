/** Takes turns in asking the upstream anew while others are given what is stale (RFC 5861, 3). */
import type { Millis } from '../../ports/clock.ts'

export interface Turns {
  /** Whether it is the caller's turn; for a while it is nobody else's then. */
  take(name: string, now: Millis): boolean
}

/** A turn that led to nothing is given to another after this long. */
const turnMs = 5000
const mostNames = 10_000

export function makeTurns(): Turns {
  const takenUntil = new Map<string, Millis>()
  return {
    take(name, now) {
      if ((takenUntil.get(name) ?? 0) > now) return false
      if (takenUntil.size >= mostNames) takenUntil.clear()
      takenUntil.set(name, now + turnMs)
      return true
    },
  }
}
