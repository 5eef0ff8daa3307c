/** Headers that report limits. */
import type { Millis } from '@turnpike/core/lib'
import type { Decision, GatewayLimit } from './key-limiter.ts'

/**
 * `x-ratelimit`: X-RateLimit-Limit, -Remaining and -Reset (seconds since 1970). `ietf`: RateLimit and RateLimit-Policy
 * (draft-ietf-httpapi-ratelimit-headers-10). `ietf-fields`: RateLimit-Limit, -Remaining and -Reset (seconds from now;
 * drafts up to 06). `retry-after` and `retry-after-date`: RFC 9110, section 10.2.3.
 */
export const headerStyles = ['x-ratelimit', 'ietf', 'ietf-fields', 'retry-after', 'retry-after-date'] as const
export type HeaderStyle = (typeof headerStyles)[number]

/** A limit and its decision about the request. */
export interface NamedDecision {
  readonly name: 'rate' | 'quota'
  readonly limit: GatewayLimit
  readonly decision: Decision
}

/**
 * The headers for the decisions about one request, in the given styles. Headers for one limit report the limit with the
 * fewest remaining requests. Retry-After is the latest of all limits that reject, and is sent only with a rejection.
 */
export function rateHeaders(
  styles: readonly HeaderStyle[],
  decisions: readonly NamedDecision[],
  now: Millis,
): Record<string, string> {
  const tightest = [...decisions].sort((a, b) => a.decision.remaining - b.decision.remaining)[0]
  if (tightest === undefined) return {}
  const { limit, decision } = tightest
  const most = String(mostAtOnce(limit))
  const headers: Record<string, string> = {}
  for (const style of styles) {
    if (style === 'x-ratelimit') {
      headers['X-RateLimit-Limit'] = most
      headers['X-RateLimit-Remaining'] = String(decision.remaining)
      headers['X-RateLimit-Reset'] = String(Math.ceil(decision.resetAt / 1000))
    } else if (style === 'ietf-fields') {
      headers['RateLimit-Limit'] = most
      headers['RateLimit-Remaining'] = String(decision.remaining)
      headers['RateLimit-Reset'] = String(secondsUntil(decision.resetAt, now))
    } else if (style === 'ietf') {
      headers['RateLimit-Policy'] = decisions.map(policyItem).join(', ')
      headers['RateLimit'] = decisions.map((one) => limitItem(one, now)).join(', ')
    } else Object.assign(headers, retryAfter(style, decisions, now))
  }
  return headers
}

function policyItem({ name, limit }: NamedDecision): string {
  return `"${name}";q=${mostAtOnce(limit)};w=${Math.ceil(limit.periodMs / 1000)}`
}

function limitItem({ name, decision }: NamedDecision, now: Millis): string {
  return `"${name}";r=${decision.remaining};t=${secondsUntil(decision.resetAt, now)}`
}

function retryAfter(
  style: 'retry-after' | 'retry-after-date',
  decisions: readonly NamedDecision[],
  now: Millis,
): Record<string, string> {
  const rejecting = decisions.filter(({ decision }) => !decision.allowed)
  if (rejecting.length === 0) return {}
  const retryAt = Math.max(...rejecting.map(({ decision }) => decision.retryAt))
  if (style === 'retry-after') return { 'Retry-After': String(secondsUntil(retryAt, now)) }
  return { 'Retry-After': new Date(Math.ceil(retryAt / 1000) * 1000).toUTCString() }
}

function mostAtOnce({ count, burst }: GatewayLimit): number {
  return burst ?? count
}

function secondsUntil(at: Millis, now: Millis): number {
  return Math.max(0, Math.ceil((at - now) / 1000))
}
