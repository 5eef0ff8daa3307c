/** Notes of a trace about limits. They name counters as Redis does. */
import type { QuotaResult } from '../../ports/quota.ts'
import type { RateResult } from '../../ports/rate-limit.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { Counter } from '../../ports/store.ts'
import { quotaCounterName, rateCounterName } from '../../session/names/counter-names.ts'
import type { LimitReading, Trace } from '../contract/stage-trace.ts'

type KeySettings = GatewaySettings['keys']

/** Notes the result of a rate. A dry run consumes nothing. */
export function noteRate(trace: Trace, counter: Counter, result: RateResult, keys: KeySettings): void {
  const { rate: max, per } = counter.rate ?? { rate: 0, per: 0 }
  trace.note(
    `rate ${rateCounterName(counter, keys.hashKeys, keys.counterNaming)}: ${result.remaining} of ${max} in ${per} s left`,
  )
  trace.limit?.(readingOf('rate', counter, result, { max, seconds: per, resetsAt: result.resetAt }, trace))
}

/** Notes the result of a quota. A dry run consumes nothing. */
export function noteQuota(trace: Trace, counter: Counter, result: QuotaResult, keys: KeySettings): void {
  const { max, renewalSeconds } = counter.quota ?? { max: 0, renewalSeconds: 0 }
  trace.note(
    `quota ${quotaCounterName(counter, keys.hashKeys, keys.counterNaming)}: ${result.remaining} of ${max} left`,
  )
  const seconds = Math.max(0, renewalSeconds)
  trace.limit?.(readingOf('quota', counter, result, { max, seconds, resetsAt: result.renewsAt }, trace))
}

function readingOf(
  kind: LimitReading['kind'],
  { kind: owner, endpoint }: Counter,
  { allowed, remaining: after }: Pick<RateResult, 'allowed' | 'remaining'>,
  { max, seconds, resetsAt }: Pick<LimitReading, 'max' | 'seconds' | 'resetsAt'>,
  { dry }: Trace,
): LimitReading {
  // An allowed request consumes one; a rejected one found nothing left.
  const before = allowed && !dry ? Math.min(max, after + 1) : after
  return { kind, owner, endpoint, max, seconds, before, after, allowed, resetsAt }
}
