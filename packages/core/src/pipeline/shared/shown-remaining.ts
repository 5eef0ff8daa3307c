/** The requests left of a rate, as headers and variables report them. */
import type { GatewaySettings } from '../../ports/settings.ts'
import type { RequestContext } from '../contract/request-context.ts'

/**
 * The original gateway reports 0 with the fixed window, whatever is left. `rate_limit_headers: "recorded"` keeps that;
 * with `ietf` the number is the one of the limiter.
 */
export function shownRemaining(
  { rate, rateLimit }: Pick<RequestContext, 'rate' | 'rateLimit'>,
  { ietf }: Pick<GatewaySettings['headers'], 'ietf'>,
): number {
  if (rate === undefined || (rateLimit?.algorithm === 'fixed' && !ietf)) return 0
  return rate.remaining
}
