/**
 * Limits of the key as variables, with the values of the X-RateLimit headers of both modes
 * (docs/reference/quotas.md#rate-limit-headers).
 */
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
export function limitText(name: string, { access, key, quota, rate, rateLimit }: RequestContext): string {
  switch (name) {
    case 'quota_limit':
      return access === undefined ? '' : String(access.shownQuotaMax)
    case 'quota_remaining':
      return access === undefined ? '' : String(quota?.remaining ?? 0)
    case 'quota_reset':
      if (access === undefined) return ''
      if (quota?.renewsAt !== undefined) return String(Math.floor(quota.renewsAt / 1000))
      return String(access.shownQuotaRenews ?? key?.quotaRenews ?? 0)
    case 'rate_limit_limit':
      return rateLimit === undefined ? '' : String(Math.trunc(rateLimit.rate))
    case 'rate_limit_remaining':
      return rate === undefined ? '' : String(rate.remaining)
    case 'rate_limit_reset':
      return rate === undefined ? '' : String(Math.ceil(rate.resetAt / 1000))
  }
  return ''
}
