/**
 * X-RateLimit headers in the two recorded modes, and the RateLimit headers of the IETF draft beside them.
 * Source: spec/sessions-and-limits.md 5.1; draft-ietf-httpapi-ratelimit-headers; Retry-After: RFC 9110, 10.2.3.
 */

import { removeHeader } from '../../http/headers.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeResponseStage } from '../contract/stage.ts'

const limitName = 'x-ratelimit-limit'
const remainingName = 'x-ratelimit-remaining'
const resetName = 'x-ratelimit-reset'

export const makeRateLimitHeaders: MakeResponseStage = ({ services }) => {
  const { headers } = services.settings
  const add = headers.recorded === 'quotas' ? addQuotaHeaders : addRateOrNone
  return {
    name: 'rate-limit-headers',
    phase: '6-shape-response',
    run(context, answer) {
      takeOff(answer)
      add(context, answer)
      if (headers.ietf) addIetfHeaders(context, answer)
      return answer
    },
  }
}

/** Headers of a refusal: the rate where it is what the headers speak of; quotas are told on answers only. */
export function addRateHeaders(
  context: RequestContext,
  answer: GatewayResponse,
  headers: GatewaySettings['headers'],
): void {
  if (headers.recorded === 'rate_limits') addRateOrNone(context, answer)
  if (headers.ietf) addIetfHeaders(context, answer)
}

/** What the upstream said under these names is not about this gateway. */
function takeOff(answer: GatewayResponse): void {
  const { headers } = answer
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

function addQuotaHeaders({ access, key, quota }: RequestContext, answer: GatewayResponse): void {
  if (access === undefined) {
    answer.headers.push(limitName, '0', remainingName, '0', resetName, '0')
    return
  }
  const stored = access.shownQuotaRenews ?? key?.quotaRenews ?? 0
  answer.headers.push(
    limitName,
    String(access.shownQuotaMax),
    remainingName,
    String(quota?.remaining ?? 0),
    resetName,
    String(quota?.renewsAt === undefined ? stored : Math.floor(quota.renewsAt / 1000)),
  )
}

function addRateOrNone({ rate, rateLimit }: RequestContext, answer: GatewayResponse): void {
  if (rate === undefined || rateLimit === undefined) return
  answer.headers.push(
    limitName,
    String(Math.trunc(rateLimit.rate)),
    remainingName,
    String(rate.remaining),
    resetName,
    String(Math.ceil(rate.resetAt / 1000)),
  )
}

/** `RateLimit-Policy` names each limit in force, `RateLimit` what is left of it and the seconds to its renewal. */
function addIetfHeaders(context: RequestContext, answer: GatewayResponse): void {
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
  if (policies.length > 0) answer.headers.push('ratelimit-policy', policies.join(', '), 'ratelimit', states.join(', '))
  const opensAt = retryAt(context)
  if (rejection !== undefined && opensAt !== undefined) {
    answer.headers.push('retry-after', String(Math.max(1, secondsTo(opensAt))))
  }
}

/** When a lone retry is admitted again; `undefined` where waiting does not help. */
function retryAt({ rate, quota, rejection }: RequestContext): number | undefined {
  if (rejection?.status === 429) return rate?.resetAt
  if (rejection?.code === 'quota-exceeded') return quota?.renewsAt
  return undefined
}
