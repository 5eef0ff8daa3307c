/** Leaky bucket as a meter: a request pours in, the meter drains evenly, and a request that would overflow it is rejected. */
import { checkFlowLimit, type FlowLimit, type Limiter } from './limiter.ts'

/**
 * Makes an empty meter, or one that continues from `kept`: the numbers of another meter's state. A millisecond drains `count`
 * units and a request pours `periodMs` units.
 */
export function makeLeakyMeter(limit: FlowLimit, kept: readonly number[] = []): Limiter {
  checkFlowLimit('makeLeakyMeter', limit)
  const { count, periodMs, burst } = limit
  const brim = burst * periodMs
  let [water = 0, measuredAt = Number.NEGATIVE_INFINITY] = kept

  return {
    state() {
      if (water === 0) return undefined
      return { numbers: [water, measuredAt], forgettableAt: measuredAt + Math.ceil(water / count) }
    },
    take(now, amount) {
      const elapsed = Math.max(0, now - measuredAt)
      const water0 = elapsed >= water / count ? 0 : water - elapsed * count
      const poured = Math.max(1, amount) * periodMs
      const allowed = water0 + poured <= brim
      const after = allowed && amount > 0 ? water0 + poured : water0
      if (amount > 0) {
        water = after
        measuredAt = Math.max(now, measuredAt)
      }
      const wait = poured > brim ? Number.POSITIVE_INFINITY : Math.ceil((water0 + poured - brim) / count)
      return {
        allowed,
        remaining: Math.floor((brim - after) / periodMs),
        resetAt: allowed ? now : Math.max(now, measuredAt) + wait,
      }
    },
  }
}
