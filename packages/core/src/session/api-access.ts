/**
 * What a key may do on one API: its access right with policies applied, compiled once for all keys with equal rights.
 * Patterns become matchers, and what the API or the gateway switches off is left out.
 * Source: docs/reference/sessions.md#session-fields, docs/reference/sessions.md#master-keys.
 */
import type { ApiDefinition } from '../definition/api-definition.ts'
import { speaksMcp } from '../definition/mcp/primitive.ts'
import type { QuotaLimit } from '../ports/quota.ts'
import type { RateLimit } from '../ports/rate-limit.ts'
import { type AccessRight, type ApiLimit, accessRightShape, apiLimitShape, type Session } from '../ports/session.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import { type Counter, counterKey } from '../ports/store.ts'
import { type AllowsUrl, makeAllowsUrl } from './access/allowed-urls.ts'
import { type CounterPattern, counterPatternOf } from './access/counter-pattern.ts'
import { type EndpointLimit, type FindEndpointLimit, makeEndpointRate } from './access/endpoint-rates.ts'
import type { PathPatterns } from './access/path-patterns.ts'
import { rateLimitOf } from './access/rate-limit-of.ts'
import { type McpRights, makeMcpRights } from './key-rights.ts'

export interface ApiAccess {
  /** Versions that the key may use; `undefined` where the API is not versioned. */
  readonly versions: ReadonlySet<string> | undefined
  /** Returns whether `allowed_urls` permits this request (7.5); `undefined`: every request is permitted. */
  readonly allowsUrl: AllowsUrl | undefined
  /** `undefined`: no limit. */
  readonly rate: RateLimit | undefined
  /** Finds the rate of an endpoint, which then replaces `rate`; `undefined` when the key has no endpoint rates. */
  readonly endpointRate: FindEndpointLimit | undefined
  readonly throttle: { readonly retries: number; readonly intervalMs: number } | undefined
  /** `undefined`: requests are not counted. */
  readonly quota: QuotaLimit | undefined
  /** What the key may do on an MCP proxy; `undefined`: everything. */
  readonly mcp: McpRights<EndpointLimit> | undefined
  /** `scope` of the counters. */
  readonly scope: string
  /** What replaces the key's name in its counters. */
  readonly pattern: CounterPattern
}

export interface AccessContext {
  /** With policies applied. */
  readonly session: Session
  readonly settings: GatewaySettings
  readonly patterns: PathPatterns
}

/** `undefined`: the session gives no access to the API. */
export function compileApiAccess(context: AccessContext, api: ApiDefinition): ApiAccess | undefined {
  const { session, settings, patterns } = context
  const right = rightOn(session, api.id, settings.keys.allowMasterKeys)
  if (right === undefined) return undefined
  const limits = limitsOf(session, right)
  const rateOf = (of: Pick<ApiLimit, 'rate' | 'per' | 'smoothing'>) =>
    api.document.disableRateLimit ? undefined : rateLimitOf(of, settings.limits)
  const endpointRateOf = (of: { rate: number; per: number }, endpoint: string): EndpointLimit | undefined => {
    const limit = rateOf({ ...of, smoothing: null })
    return limit && { endpoint, limit }
  }
  return {
    versions: right === masterRight || api.versioning.kind !== 'named' ? undefined : new Set(right.versions ?? []),
    allowsUrl: makeAllowsUrl(right.allowedUrls, patterns),
    rate: rateOf(limits),
    endpointRate: makeEndpointRate(right.endpoints, patterns, endpointRateOf),
    throttle: throttleOf(limits),
    quota:
      api.document.disableQuota || limits.quotaMax <= 0
        ? undefined
        : { max: limits.quotaMax, renewalSeconds: limits.quotaRenewalRate },
    mcp: speaksMcp(api.document) ? makeMcpRights(right, endpointRateOf) : undefined,
    scope: right.allowanceScope,
    pattern: counterPatternOf(session, settings.vendor),
  }
}

/** The counter of a key with this access. `generation`: when the key or its policies were changed. */
export function counterOf(access: ApiAccess, storedName: string, generation: string): Counter {
  const { scope, rate, quota, pattern } = access
  const shared = pattern.kind === 'fixed' ? pattern.subject : undefined
  const id = { subject: shared ?? storedName, kind: 'key', scope, endpoint: '' } as const
  // Keys that share a counter were not written at the same time, so none of them can start a new window for all.
  return { ...id, id: counterKey(id), generation: shared === undefined ? generation : '', rate, quota }
}

/** The counter of a request that chose another subject than the key; `undefined`: it chose none. */
export function counterOfSubject(counter: Counter, subject: string | undefined): Counter {
  if (subject === undefined) return counter
  return { ...counter, subject, id: counterKey({ ...counter, subject }), generation: '' }
}

/** The counter with the rate of an endpoint in place of its own. The quota stays the one of all endpoints. */
export function counterOfEndpoint(counter: Counter, { endpoint, limit }: EndpointLimit): Counter {
  return { ...counter, endpoint, id: counterKey({ ...counter, endpoint }), rate: limit }
}

/** The right of a key that opens every API (1.3): no limits of its own, no lists, all versions. */
const masterRight: AccessRight = Object.freeze(accessRightShape.zero())

/** The right on the API; a session without any opens all of them, where master keys are allowed. */
function rightOn(session: Session, apiId: string, allowMasterKeys: boolean): AccessRight | undefined {
  const rights = session.accessRights
  if (rights !== null && Object.hasOwn(rights, apiId)) return rights[apiId]
  const isMaster = allowMasterKeys && (rights === null || Object.keys(rights).length === 0)
  return isMaster ? masterRight : undefined
}

/** The limits of the access right if it has any, otherwise those of the session. */
function limitsOf(session: Session, right: AccessRight): ApiLimit {
  return apiLimitShape.isZero(right.limit) ? session : right.limit
}

/** Numbers of a quota as they are stored: what the headers report where no quota is counted. */
export interface StoredQuota {
  /** `quota_max`: 0 and negative numbers as written. */
  readonly max: number
  readonly remaining: number
  /** Unix seconds; 0: no period was stored. */
  readonly renews: number
}

/** The stored numbers that apply on the API; those of the session if it gives no access to it. `session` has its policies applied. */
export function storedQuotaOf(session: Session, apiId: string): StoredQuota {
  const { quotaMax, quotaRemaining, quotaRenews } = limitsOf(session, rightOn(session, apiId, true) ?? masterRight)
  return { max: quotaMax, remaining: quotaRemaining, renews: quotaRenews }
}

function throttleOf(limits: Pick<ApiLimit, 'throttleInterval' | 'throttleRetryLimit'>): ApiAccess['throttle'] {
  const { throttleInterval, throttleRetryLimit } = limits
  if (throttleInterval <= 0 || throttleRetryLimit <= 0) return undefined
  return { retries: throttleRetryLimit, intervalMs: throttleInterval * 1000 }
}
