/** Token bucket: tokens flow in evenly up to the burst; a request takes one out. */
import { checkFlowLimit, type FlowLimit, type Limiter } from './limiter.ts'

/**
 * Makes a full bucket, or one that continues from `kept`: the numbers of another bucket's state. A millisecond adds `count`
 * units and a request costs `periodMs` units, so that every level is a whole number.
 */
export function makeTokenBucket(limit: FlowLimit, kept: readonly number[] = []): Limiter {
  checkFlowLimit('makeTokenBucket', limit)
  const { count, periodMs, burst } = limit
  const full = burst * periodMs
  let [level = full, filledAt = Number.NEGATIVE_INFINITY] = kept

  return {
    state() {
      if (level === full) return undefined
      return { numbers: [level, filledAt], forgettableAt: filledAt + Math.ceil((full - level) / count) }
    },
    take(now, amount) {
      const elapsed = Math.max(0, now - filledAt)
      // Compared before it is multiplied: long silences would leave the range of exact numbers.
      const level0 = elapsed >= (full - level) / count ? full : level + elapsed * count
      const cost = Math.max(1, amount) * periodMs
      const allowed = cost <= level0
      const after = allowed && amount > 0 ? level0 - cost : level0
      if (amount > 0) {
        level = after
        filledAt = Math.max(now, filledAt)
      }
      const wait = cost > full ? Number.POSITIVE_INFINITY : Math.ceil((cost - level0) / count)
      return {
        allowed,
        remaining: Math.floor(after / periodMs),
        resetAt: allowed ? now : Math.max(now, filledAt) + wait,
      }
    },
  }
}
