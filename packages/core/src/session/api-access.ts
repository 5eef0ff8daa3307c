/**
 * What a key may do on one API: its access right with policies applied, compiled once for all keys with equal rights.
 * Limits that the API or the gateway disables are left out.
 * Source: docs/reference/sessions.md#session-fields, docs/reference/sessions.md#master-keys.
 */
import type { ApiDefinition } from '../definition/api-definition.ts'
import { speaksMcp } from '../definition/mcp/primitive.ts'
import { isOn } from '../lib/json.ts'
import type { QuotaLimit } from '../ports/quota.ts'
import type { RateLimit } from '../ports/rate-limit.ts'
import { type AccessRight, type ApiLimit, accessRightShape, apiLimitShape, type Session } from '../ports/session.ts'
import type { GatewaySettings } from '../ports/settings.ts'
import { type Counter, counterKey } from '../ports/store.ts'
import type { GraphqlRights } from './access/check-graphql-rights.ts'
import { type AllowsUrl, makeAllowsUrl } from './access/compile-allowed-urls.ts'
import { type CounterPattern, counterPatternOf } from './access/counter-pattern.ts'
import { type EndpointLimit, type FindEndpointLimit, makeEndpointRate } from './access/endpoint-rates.ts'
import { makeGraphqlRights } from './access/graphql-rights.ts'
import type { PathPatterns } from './access/path-patterns.ts'
import { rateLimitOf } from './access/rate-limit-of.ts'
import { type McpRights, makeMcpRights } from './mcp-rights.ts'

export interface ApiAccess {
  /** Versions that the key may use; `undefined` if the API is not versioned. */
  readonly versions: ReadonlySet<string> | undefined
  /** Returns whether `allowed_urls` permits this request; `undefined`: every request is permitted. */
  readonly allowsUrl: AllowsUrl | undefined
  /** `undefined`: no limit. */
  readonly rate: RateLimit | undefined
  /** Finds the rate of an endpoint, which replaces `rate`; `undefined`: the key has no endpoint rates. */
  readonly endpointRate: FindEndpointLimit | undefined
  readonly throttle: { readonly retries: number; readonly intervalMs: number } | undefined
  /** `undefined`: requests are not counted. */
  readonly quota: QuotaLimit | undefined
  /** What the key may do on an MCP proxy; `undefined`: everything. */
  readonly mcp: McpRights<EndpointLimit> | undefined
  /** Limits on queries to a GraphQL API; `undefined`: there are none. */
  readonly graphql: GraphqlRights | undefined
  /** Value of `scope` in the counters. */
  readonly scope: string
  /** The subject of the counters. */
  readonly pattern: CounterPattern
}

export interface AccessContext {
  /** With policies applied. */
  readonly session: Session
  readonly settings: GatewaySettings
  readonly patterns: PathPatterns
  /** Whether a session without rights opens the API. Default: `allow_master_keys`. */
  readonly allowMasterKeys?: boolean
}

/** Compiles the access of a session. Returns `undefined` if the session gives no access to the API. */
export function compileApiAccess(context: AccessContext, api: ApiDefinition): ApiAccess | undefined {
  const { session, settings, patterns, allowMasterKeys = settings.keys.allowMasterKeys } = context
  const right = rightOn(session, api.id, allowMasterKeys)
  if (right === undefined) return undefined
  const limits = limitsOf(session, right)
  const rateOf = (of: Pick<ApiLimit, 'rate' | 'per' | 'smoothing'>) =>
    api.document.disableRateLimit ? undefined : rateLimitOf(of, settings.limits)
  const endpointRateOf = (of: { rate: number; per: number }, endpoint: string): EndpointLimit => ({
    endpoint,
    limit: rateOf({ ...of, smoothing: null }),
  })
  const limited = (found: EndpointLimit) => (found.limit === undefined ? undefined : found)
  return {
    versions: right === masterRight || api.versioning.kind !== 'named' ? undefined : new Set(right.versions ?? []),
    allowsUrl: makeAllowsUrl(right.allowedUrls, patterns),
    rate: rateOf(limits),
    endpointRate: api.document.disableRateLimit
      ? undefined
      : makeEndpointRate(right.endpoints, patterns, endpointRateOf),
    throttle: throttleOf(limits),
    quota:
      api.document.disableQuota || limits.quotaMax <= 0
        ? undefined
        : { max: limits.quotaMax, renewalSeconds: limits.quotaRenewalRate },
    mcp: speaksMcp(api.document) ? makeMcpRights(right, (of, name) => limited(endpointRateOf(of, name))) : undefined,
    graphql: isOn(api.document.graphql) ? makeGraphqlRights(right, limits.maxQueryDepth) : undefined,
    scope: right.allowanceScope,
    pattern: counterPatternOf(session, settings.vendor),
  }
}

/** Builds the counter of a key with this access. `generation`: time of the last change of the key or its policies. */
export function counterOf(access: ApiAccess, storedName: string, generation: string): Counter {
  const { scope, rate, quota, pattern } = access
  const shared = pattern.kind === 'fixed' ? pattern.subject : undefined
  const subject = shared ?? storedName
  const id = counterKey({ subject, kind: 'key', scope, endpoint: '' })
  // A shared counter has no generation: a change of one key must not start a new window for the others.
  const ownGeneration = shared === undefined ? generation : ''
  // Every field is listed: a copy of another object would give each key a hidden class (docs/profiling.md).
  return { id, subject, kind: 'key', scope, endpoint: '', generation: ownGeneration, rate, quota }
}

/** Replaces the subject of a counter. A subject of `undefined` keeps the key as the subject. */
export function counterOfSubject(counter: Counter, subject: string | undefined): Counter {
  if (subject === undefined) return counter
  return { ...counter, subject, id: counterKey({ ...counter, subject }), generation: '' }
}

/** Replaces the rate of a counter with the rate of an endpoint. All endpoints keep sharing the quota. */
export function counterOfEndpoint(counter: Counter, { endpoint, limit }: EndpointLimit): Counter {
  return { ...counter, endpoint, id: counterKey({ ...counter, endpoint }), rate: limit }
}

/** The access right of a master key on every API: no limits of its own, no lists, all versions. */
const masterRight: AccessRight = Object.freeze(accessRightShape.zero())

/** Finds the right on the API. If master keys are allowed, a session without rights has access to all APIs. */
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

/** The stored numbers of a quota. Headers report them if no quota is counted. */
export interface StoredQuota {
  /** `quota_max`, including 0 and negative numbers. */
  readonly max: number
  readonly remaining: number
  /** Unix seconds; 0: no period was stored. */
  readonly renews: number
}

/**
 * The stored numbers that apply on the API, or those of the session if it gives no access to the API. `session` must
 * have its policies applied.
 */
export function storedQuotaOf(session: Session, apiId: string): StoredQuota {
  const { quotaMax, quotaRemaining, quotaRenews } = limitsOf(session, rightOn(session, apiId, true) ?? masterRight)
  return { max: quotaMax, remaining: quotaRemaining, renews: quotaRenews }
}

function throttleOf(limits: Pick<ApiLimit, 'throttleInterval' | 'throttleRetryLimit'>): ApiAccess['throttle'] {
  const { throttleInterval, throttleRetryLimit } = limits
  if (throttleInterval <= 0 || throttleRetryLimit <= 0) return undefined
  return { retries: throttleRetryLimit, intervalMs: throttleInterval * 1000 }
}
