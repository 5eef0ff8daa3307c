/**
 * GCRA, the cell rate algorithm (ITU-T I.371): remembers only when the next request would be due if all came evenly
 * spaced, and admits one that comes early by no more than the burst allows.
 */
import { checkFlowLimit, type FlowLimit, type Limiter } from './limiter.ts'

/**
 * Makes an empty limiter, or one that continues from `kept`: the numbers of another limiter's state. The due time is
 * stored as whole milliseconds and a remainder in `count`-ths of one, since `periodMs / count` need not be whole. It also holds the newest instant seen: without it a clock that
 * steps back would seem to owe more time than passed, which is stricter than a stopped clock.
 */
export function makeGcra(limit: FlowLimit, kept: readonly number[] = []): Limiter {
  checkFlowLimit('makeGcra', limit)
  const { count, periodMs, burst } = limit
  const tolerance = burst * periodMs
  let [dueMs = Number.NEGATIVE_INFINITY, dueRest = 0, seenAt = Number.NEGATIVE_INFINITY] = kept

  return {
    state() {
      const forgettableAt = dueMs + Math.ceil(dueRest / count)
      return forgettableAt <= seenAt ? undefined : { numbers: [dueMs, dueRest, seenAt], forgettableAt }
    },
    take(now, amount) {
      const at = Math.max(now, seenAt)
      const early = dueMs < at ? 0 : (dueMs - at) * count + dueRest
      const step = Math.max(1, amount) * periodMs
      const allowed = early + step <= tolerance
      const after = allowed && amount > 0 ? early + step : early
      if (amount > 0) seenAt = at
      if (allowed && amount > 0) {
        dueMs = at + Math.floor(after / count)
        dueRest = after % count
      }
      const wait = step > tolerance ? Number.POSITIVE_INFINITY : Math.ceil((early + step - tolerance) / count)
      return {
        allowed,
        remaining: Math.floor((tolerance - after) / periodMs),
        resetAt: allowed ? now : at + wait,
      }
    },
  }
}
