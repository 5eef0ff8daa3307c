/**
 * X-RateLimit headers in two modes (docs/reference/quotas.md#rate-limit-headers), and the RateLimit headers of
 * draft-ietf-httpapi-ratelimit-headers with Retry-After (RFC 9110 section 10.2.3).
 */

import { removeHeader } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { StoredQuota } from '../../session/api-access.ts'
import type { RequestContext } from '../contract/request-context.ts'
import { shownQuota, shownRemaining } from './shown-limits.ts'

const limitName = 'x-ratelimit-limit'
const remainingName = 'x-ratelimit-remaining'
const resetName = 'x-ratelimit-reset'

/** Adds headers to a rejection: X-RateLimit in the mode `rate_limits` only, the IETF headers whenever they are on. */
export function addRateHeaders(
  context: RequestContext,
  response: GatewayResponse,
  headers: GatewaySettings['headers'],
): void {
  if (headers.recorded === 'rate_limits') addRateOrNone(context, response, headers)
  if (headers.ietf) addIetfHeaders(context, response)
}

/** Removes X-RateLimit headers that the upstream or a script set. */
export function removeRateHeaders(response: GatewayResponse): void {
  const { headers } = response
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    if (name.charCodeAt(0) === 0x78 && (name === limitName || name === remainingName || name === resetName)) {
      removeHeader(headers, limitName)
      removeHeader(headers, remainingName)
      removeHeader(headers, resetName)
      return
    }
  }
}

/** Without a session, as on open APIs, there are zeros, as recorded; with the IETF headers there is nothing. */
export function addQuotaHeaders(
  context: RequestContext,
  response: GatewayResponse,
  { ietf }: Pick<GatewaySettings['headers'], 'ietf'>,
): void {
  const shown = context.scripted === 'without-session' ? undefined : shownQuota(context)
  if (shown === undefined && ietf) return
  const { max, remaining, renews } = shown ?? noQuota
  response.headers.push(limitName, String(max), remainingName, String(remaining), resetName, String(renews))
}

const noQuota: StoredQuota = { max: 0, remaining: 0, renews: 0 }

/** Adds what the rate limiter decided; nothing if it did not run. */
export function addRateOrNone(
  context: RequestContext,
  response: GatewayResponse,
  headers: GatewaySettings['headers'],
): void {
  const { rate, rateLimit } = context
  if (rate === undefined || rateLimit === undefined) return
  response.headers.push(
    limitName,
    String(Math.trunc(rateLimit.rate)),
    remainingName,
    String(shownRemaining(context, headers)),
    resetName,
    String(Math.ceil(rate.resetAt / 1000)),
  )
}

/** `RateLimit-Policy` contains each limit, `RateLimit` what remains of it and the seconds until it renews. */
export function addIetfHeaders(context: RequestContext, response: GatewayResponse): void {
  const { rate, rateLimit, quota, access, rejection } = context
  const policies: string[] = []
  const states: string[] = []
  const secondsTo = (at: number) => Math.max(0, Math.ceil((at - context.startedAt) / 1000))
  if (rate !== undefined && rateLimit !== undefined) {
    policies.push(`"rate";q=${Math.trunc(rateLimit.rate)};w=${Math.max(1, Math.trunc(rateLimit.per))}`)
    states.push(`"rate";r=${rate.remaining};t=${secondsTo(rate.resetAt)}`)
  }
  if (quota !== undefined && access?.quota !== undefined) {
    const { max, renewalSeconds } = access.quota
    policies.push(renewalSeconds > 0 ? `"quota";q=${max};w=${renewalSeconds}` : `"quota";q=${max}`)
    states.push(
      quota.renewsAt === undefined
        ? `"quota";r=${quota.remaining}`
        : `"quota";r=${quota.remaining};t=${secondsTo(quota.renewsAt)}`,
    )
  }
  if (policies.length > 0)
    response.headers.push('ratelimit-policy', policies.join(', '), 'ratelimit', states.join(', '))
  const opensAt = retryAt(context)
  if (rejection !== undefined && opensAt !== undefined) {
    response.headers.push('retry-after', String(Math.max(1, secondsTo(opensAt))))
  }
}

/** Returns when a single retry would be admitted; `undefined` if waiting does not help. */
function retryAt({ rate, quota, rejection }: RequestContext): number | undefined {
  // Not by the status: a stage of one's own may reject with 429, and knows itself when a retry passes.
  if (rejection?.limit === 'rate') return rate?.resetAt
  return rejection?.limit === 'quota' ? quota?.renewsAt : undefined
}
