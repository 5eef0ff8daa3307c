/** Notes of a trace about limits. They name counters as Redis does. */
import type { QuotaResult } from '../../ports/quota.ts'
import type { RateResult } from '../../ports/rate-limit.ts'
import type { Counter } from '../../ports/store.ts'
import { quotaCounterName, rateCounterName } from '../../session/names/counter-names.ts'

export function rateNote(counter: Counter, { remaining }: RateResult, hashKeys: boolean): string {
  const { rate, per } = counter.rate ?? { rate: 0, per: 0 }
  return `rate ${rateCounterName(counter, hashKeys)}: ${remaining} of ${rate} in ${per} s left`
}

export function quotaNote(counter: Counter, { remaining }: QuotaResult, hashKeys: boolean): string {
  return `quota ${quotaCounterName(counter, hashKeys)}: ${remaining} of ${counter.quota?.max} left`
}
