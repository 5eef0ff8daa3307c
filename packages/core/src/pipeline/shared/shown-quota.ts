/** The quota that headers and variables report (docs/reference/quotas.md#rate-limit-headers). */
import { unixSeconds } from '../../lib/text/time.ts'
import type { Millis } from '../../ports/clock.ts'
import type { StoredQuota } from '../../session/api-access.ts'
import type { RequestContext } from '../contract/request-context.ts'

/**
 * Returns the counted quota of this request. If nothing was counted, returns what the other APIs of the key counted, or
 * else the stored numbers. `undefined` for a request without a key or without access.
 */
export function shownQuota(context: RequestContext): StoredQuota | undefined {
  const { api, key, access, quota, quotaElsewhere } = context
  if (key === undefined || access === undefined) return undefined
  const renewsOf = (at: Millis | undefined) => (at === undefined ? key.storedQuotaOn(api).renews : unixSeconds(at))
  if (quota !== undefined && access.quota !== undefined) {
    return { max: access.quota.max, remaining: quota.remaining, renews: renewsOf(quota.renewsAt) }
  }
  const stored = key.storedQuotaOn(api)
  if (quotaElsewhere === undefined) return stored
  const remaining = Math.max(0, stored.max - quotaElsewhere.used)
  return { max: stored.max, remaining, renews: renewsOf(quotaElsewhere.renewsAt) }
}
