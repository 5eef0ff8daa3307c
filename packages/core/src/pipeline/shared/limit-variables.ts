/**
 * Limits of the key as variables, with the values of the X-RateLimit headers of both modes
 * (docs/reference/quotas.md#rate-limit-headers).
 */
import type { GatewaySettings } from '../../ports/settings.ts'
import type { RequestContext } from '../contract/request-context.ts'
import { shownQuota } from './shown-quota.ts'
import { shownRemaining } from './shown-remaining.ts'

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
