/**
 * Limits of the key as headers and variables report them: the variables have the values of the X-RateLimit headers of
 * both modes (docs/reference/quotas.md#rate-limit-headers).
 */

import { unixSeconds } from '../../lib/text/time.ts'
import type { Millis } from '../../ports/clock.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { StoredQuota } from '../../session/api-access.ts'
import type { RequestContext } from '../contract/request-context.ts'

/** All names, for templates, which get all variables at once. */
export const limitVariables = [
  'quota_limit',
  'quota_remaining',
  'quota_reset',
  'rate_limit_limit',
  'rate_limit_remaining',
  'rate_limit_reset',
] as const

/** Returns the value of a variable; empty for other names, for requests without a key and without a checked rate. */
export function limitText(name: string, context: RequestContext, headers: GatewaySettings['headers']): string {
  const { rate, rateLimit } = context
  switch (name) {
    case 'quota_limit':
      return String(shownQuota(context)?.max ?? '')
    case 'quota_remaining':
      return String(shownQuota(context)?.remaining ?? '')
    case 'quota_reset':
      return String(shownQuota(context)?.renews ?? '')
    case 'rate_limit_limit':
      return rateLimit === undefined ? '' : String(Math.trunc(rateLimit.rate))
    case 'rate_limit_remaining':
      return rate === undefined ? '' : String(shownRemaining(context, headers))
    case 'rate_limit_reset':
      return rate === undefined ? '' : String(Math.ceil(rate.resetAt / 1000))
  }
  return ''
}

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

/**
 * The original gateway reports 0 with the fixed window, even if requests are left. `rate_limit_headers: "recorded"` keeps
 * that; with `ietf` the number is the one of the limiter.
 */
export function shownRemaining(
  { rate, rateLimit }: Pick<RequestContext, 'rate' | 'rateLimit'>,
  { ietf }: Pick<GatewaySettings['headers'], 'ietf'>,
): number {
  if (rate === undefined || (rateLimit?.algorithm === 'fixed' && !ietf)) return 0
  return rate.remaining
}
