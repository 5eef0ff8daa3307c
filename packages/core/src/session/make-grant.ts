/**
 * Compiles what a key may do on one API: names of counters become whole strings, patterns become matchers, and what
 * the API or the gateway switches off is not there at all. Runs once per key and API, never per request.
 * Source: spec/sessions-and-limits.md 1, 1.3, 5, 6, 7.4, 7.5.
 */
import type { ApiDefinition } from '../definition/api-definition.ts'
import type { GatewaySettings } from '../settings.ts'
import type { VariableSource } from '../variables/variable-text.ts'
import { localRateName, quotaCounterName, rateCounterName } from './counter-names.ts'
import type { CountedRate, Grant } from './grant.ts'
import { makeEndpointRate } from './grant-endpoints.ts'
import { rateLimitOf } from './grant-rates.ts'
import { makeAllowsUrl } from './grant-urls.ts'
import type { PathPatterns } from './path-patterns.ts'
import { counterPatternOf } from './rate-limit-pattern.ts'
import { type AccessRight, type ApiLimit, accessRightShape, apiLimitShape, type Session } from './session.ts'

export interface GrantParts {
  /** With policies applied. */
  readonly session: Session
  readonly storedName: string
  readonly settings: GatewaySettings
  readonly patterns: PathPatterns
}

/** `undefined`: the key opens nothing on this API. */
export function makeGrant(parts: GrantParts, api: ApiDefinition): Grant | undefined {
  const { session, settings } = parts
  const right = rightOn(session, api.id, settings.keys.allowMasterKeys)
  if (right === undefined) return undefined
  const pattern = counterPatternOf(session, settings.vendor)
  if (pattern.kind === 'fixed') return grantCountedBy(parts, api, right, pattern.key)
  // Names with values of a request in them are made for it; requests that follow each other often share them.
  let lastKey: string | undefined
  let last = grantCountedBy(parts, api, right, undefined)
  const forRequest = (variables: VariableSource): Grant => {
    const key = pattern.keyFor(variables)
    if (key !== lastKey) {
      last = grantCountedBy(parts, api, right, key)
      lastKey = key
    }
    return last
  }
  return { ...last, forRequest }
}

/** The grant with counters named after `shared`, or after the key where it is `undefined`. */
function grantCountedBy(
  { session, storedName, settings, patterns }: GrantParts,
  api: ApiDefinition,
  right: AccessRight,
  shared: string | undefined,
): Grant {
  const limits: ApiLimit = apiLimitShape.isZero(right.limit) ? session : right.limit
  const scope = right.allowanceScope
  const counted = (of: RateValues, endpoint: string): CountedRate | undefined => {
    const limit = api.document.disableRateLimit ? undefined : rateLimitOf(of, settings.limits)
    if (limit === undefined) return undefined
    const name = rateCounterName(shared ?? storedName, scope, endpoint)
    // Keys that share a counter were not written at the same time, so it cannot be named after one of them.
    const isBucket = limit.algorithm === 'local' && shared === undefined
    return { name: isBucket ? localRateName(name, session.lastUpdated) : name, limit }
  }
  const quota =
    api.document.disableQuota || limits.quotaMax <= 0
      ? undefined
      : {
          name: quotaCounterName(shared ?? storedName, scope),
          limit: { max: limits.quotaMax, renewalSeconds: limits.quotaRenewalRate },
        }
  return {
    versions: right === masterRight || api.versioning.kind !== 'named' ? undefined : new Set(right.versions ?? []),
    allowsUrl: makeAllowsUrl(right.allowedUrls, patterns),
    rate: counted(limits, ''),
    endpointRate: makeEndpointRate(right.endpoints, patterns, (limit, endpoint) =>
      counted({ ...limit, smoothing: null }, endpoint),
    ),
    throttle: throttleOf(limits),
    quota,
    shownQuotaMax: limits.quotaMax,
    shownQuotaRenews: limits.quotaRenews,
  }
}

type RateValues = Pick<ApiLimit, 'rate' | 'per' | 'smoothing'>

/** Stands for the right of a key that opens every API (1.3): no limits of its own, no lists, all versions. */
const masterRight: AccessRight = Object.freeze(accessRightShape.zero())

/** The right on the API; a session without any opens all of them, where master keys are allowed. */
function rightOn(session: Session, apiId: string, allowMasterKeys: boolean): AccessRight | undefined {
  const rights = session.accessRights
  if (rights !== null && Object.hasOwn(rights, apiId)) return rights[apiId]
  const isMaster = allowMasterKeys && (rights === null || Object.keys(rights).length === 0)
  return isMaster ? masterRight : undefined
}

function throttleOf(limits: Pick<ApiLimit, 'throttleInterval' | 'throttleRetryLimit'>): Grant['throttle'] {
  const { throttleInterval, throttleRetryLimit } = limits
  if (throttleInterval <= 0 || throttleRetryLimit <= 0) return undefined
  return { retries: throttleRetryLimit, intervalMs: throttleInterval * 1000 }
}
