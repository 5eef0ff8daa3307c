/**
 * Counts smoothed rates in Redis. Source: docs/reference/rate-limits.md#smoothing,
 * docs/reference/redis-counters.md#rate-limit-counters.
 */
import { formatRfc3339 } from '@turnpike/core/lib'
import type { RateLimit, RateResult, Smoothing } from '@turnpike/core/ports'
import { entriesKept } from '@turnpike/core/rate-limit'
import { type DecisionReply, noNumber } from './batch-decisions.ts'
import { rateResultOf } from './rate-script-arguments.ts'
import type { RedisConnection } from './redis-connection.ts'
import { consumeSmoothedScript } from './scripts/consume-smoothed.ts'
import type { StoreTime } from './store-time.ts'

export type SmoothedLimit = RateLimit & { readonly smoothing: Smoothing }

/** Fixed windows are never smoothed. */
export function isSmoothed(limit: RateLimit): limit is SmoothedLimit {
  return limit.smoothing !== undefined && limit.algorithm !== 'fixed'
}

interface SmoothedRequest {
  readonly name: string
  readonly limit: SmoothedLimit
  readonly amount: number
  /** Counter and lock of the quota to count if the rate allows the request, and its renewal. */
  readonly quota?: { readonly keys: readonly string[]; readonly renewalSeconds: number }
}

interface SmoothedResult {
  readonly rate: RateResult
  /** Reply about the quota, if there is one and the rate allowed the request. */
  readonly quota: Pick<DecisionReply, 'count' | 'leftMs'>
}

export async function consumeSmoothed(
  connection: RedisConnection,
  time: StoreTime,
  { name, limit, amount, quota }: SmoothedRequest,
): Promise<SmoothedResult> {
  const { smoothing } = limit
  const rate = Math.floor(limit.rate)
  const per = Math.max(1, Math.floor(limit.per))
  const isSentinel = limit.algorithm === 'sentinel'
  const keys = [name, `${name}-allowance`, ...(isSentinel ? [`${name}.BLOCKED`] : []), ...(quota?.keys ?? [])]
  const now = time.now()
  const reply = await connection.run(consumeSmoothedScript, keys, [
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
    isSentinel ? 1 : 0,
    ...(quota === undefined ? [] : [quota.renewalSeconds]),
  ])
  const [allowed, before, opensInMs, allowance, moved, count, leftMs] = numbersOf(reply)
  const result = rateResultOf(limit, amount, { allowed, before, opensInMs }, time, allowance)
  return {
    rate: moved === 0 ? result : { ...result, allowanceMoved: moved > 0 ? 'up' : 'down' },
    quota: { count, leftMs },
  }
}

/** Parses the seven numbers of a reply. Another program may have stored a value of any type under the name. */
function numbersOf(reply: unknown): readonly [number, number, number, number, number, number, number] {
  const numbers = Array.isArray(reply) ? reply.map(Number) : []
  if (numbers.length !== 7 || numbers.some((number) => Number.isNaN(number))) throw noNumber()
  return numbers as [number, number, number, number, number, number, number]
}
