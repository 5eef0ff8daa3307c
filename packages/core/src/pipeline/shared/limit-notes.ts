/** Notes of a trace about limits. They name counters as Redis does. */
import type { QuotaResult } from '../../ports/quota.ts'
import type { RateResult } from '../../ports/rate-limit.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { Counter } from '../../ports/store.ts'
import { quotaCounterName, rateCounterName } from '../../session/names/counter-names.ts'
import type { Trace } from '../contract/stage-trace.ts'

type KeySettings = GatewaySettings['keys']

/** Notes the result of a rate. A dry run consumes nothing. */
export function noteRate(trace: Trace | undefined, counter: Counter, result: RateResult, keys: KeySettings): void {
  if (trace === undefined) return
  const { rate: max, per } = counter.rate ?? { rate: 0, per: 0 }
  const { remaining, allowed, resetAt } = result
  trace.note(
    `rate ${rateCounterName(counter, keys.hashKeys, keys.counterNaming)}: ${remaining} of ${max} in ${per} s left`,
  )
  trace.limit?.({
    kind: 'rate',
    owner: counter.kind,
    endpoint: counter.endpoint,
    max,
    seconds: per,
    before: beforeOf(result, max, trace.dry),
    after: remaining,
    allowed,
    resetsAt: resetAt,
  })
}

/** Notes the result of a quota. A dry run consumes nothing. */
export function noteQuota(trace: Trace | undefined, counter: Counter, result: QuotaResult, keys: KeySettings): void {
  if (trace === undefined) return
  const { max, renewalSeconds } = counter.quota ?? { max: 0, renewalSeconds: 0 }
  const { remaining, allowed, renewsAt } = result
  trace.note(`quota ${quotaCounterName(counter, keys.hashKeys, keys.counterNaming)}: ${remaining} of ${max} left`)
  trace.limit?.({
    kind: 'quota',
    owner: counter.kind,
    endpoint: counter.endpoint,
    max,
    seconds: Math.max(0, renewalSeconds),
    before: beforeOf(result, max, trace.dry),
    after: remaining,
    allowed,
    resetsAt: renewsAt,
  })
}

/** An allowed request consumes one; a rejected one found nothing left. */
function beforeOf({ allowed, remaining }: { allowed: boolean; remaining: number }, max: number, dry: boolean): number {
  return allowed && !dry ? Math.min(max, remaining + 1) : remaining
}
