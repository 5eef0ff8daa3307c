/**
 * Counts smoothed rates in Redis. Source: docs/reference/rate-limits.md#smoothing,
 * docs/reference/redis-counters.md#rate-limit-counters.
 */
import { entriesKept, formatRfc3339, type RateLimit, type RateResult, type Smoothing } from '@turnpike/core'
import { rateResultOf } from './rate-script-arguments.ts'
import type { RedisLink } from './redis-link.ts'
import { numbersOf } from './script-reply.ts'
import { consumeSmoothedScript } from './scripts/consume-smoothed.ts'
import type { StoreTime } from './store-time.ts'

export async function consumeSmoothed(
  link: RedisLink,
  time: StoreTime,
  name: string,
  limit: RateLimit,
  smoothing: Smoothing,
  amount: number,
): Promise<RateResult> {
  const rate = Math.floor(limit.rate)
  const per = Math.max(1, Math.floor(limit.per))
  const isSentinel = limit.algorithm === 'sentinel'
  const keys = [name, `${name}-allowance`, ...(isSentinel ? [`${name}.BLOCKED`] : [])]
  const now = time.now()
  const reply = await link.run(consumeSmoothedScript, keys, [
    amount,
    per,
    rate,
    smoothing.threshold,
    smoothing.trigger,
    smoothing.step,
    smoothing.delay,
    limit.oneLess && !isSentinel ? 1 : 0,
    Math.max(rate, entriesKept),
    formatRfc3339(now),
    formatRfc3339(now + smoothing.delay * 1000),
  ])
  const [allowed, before, opensInMs, allowance, moved] = numbersOf(reply)
  const result = rateResultOf(limit, amount, { allowed, before, opensInMs }, time, allowance)
  return moved === 0 ? result : { ...result, allowanceMoved: moved > 0 ? 'up' : 'down' }
}
