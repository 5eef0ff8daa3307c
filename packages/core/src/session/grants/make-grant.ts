/**
 * Compiles what a key may do on one API: names of counters become whole strings, patterns become matchers, and what
 * the API or the gateway switches off is not there at all. Runs once for all keys with equal rights, never per request.
 * Source: spec/sessions-and-limits.md 1, 1.3, 5, 6, 7.4, 7.5.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { speaksMcp } from '../../definition/mcp/primitive.ts'
import type { VariableSource } from '../../lib/template/variable-text.ts'
import { type AccessRight, type ApiLimit, accessRightShape, apiLimitShape, type Session } from '../../ports/session.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import { makeMcpRights } from '../key-rights.ts'
import { endpointSuffix, makeCounterNames } from '../names/counter-names.ts'
import { namingOf } from '../names/counter-ticket.ts'
import type { Grant } from './grant.ts'
import { makeEndpointRate } from './grant-endpoints.ts'
import { rateLimitOf } from './grant-rates.ts'
import { type GrantedKey, type GrantTemplate, grantFrom, type NamedRate } from './grant-template.ts'
import { makeAllowsUrl } from './grant-urls.ts'
import type { PathPatterns } from './path-patterns.ts'
import { counterPatternOf } from './rate-limit-pattern.ts'

export interface GrantParts {
  /** With policies applied. */
  readonly session: Session
  readonly storedName: string
  readonly settings: GatewaySettings
  readonly patterns: PathPatterns
}

/** What keys may do on one API whose sessions are equal but for their own fields: see `outline.ts`. */
export interface KeyGrants {
  grantFor(key: GrantedKey): Grant
}

/** `undefined`: the key opens nothing on this API. */
export function makeGrant(parts: GrantParts, api: ApiDefinition): Grant | undefined {
  return makeKeyGrants(parts, api)?.grantFor({ ...parts.session, storedName: parts.storedName })
}

/** `undefined`: such keys open nothing on this API. */
export function makeKeyGrants(parts: Omit<GrantParts, 'storedName'>, api: ApiDefinition): KeyGrants | undefined {
  const { session, settings } = parts
  const right = rightOn(session, api.id, settings.keys.allowMasterKeys)
  if (right === undefined) return undefined
  const template = templateOf(parts, api, right)
  const pattern = counterPatternOf(session, settings.vendor)
  if (pattern.kind === 'fixed') return { grantFor: (key) => grantFrom(template, key, pattern.key) }
  return {
    grantFor(key) {
      // Names with values of a request in them are made for it; requests that follow each other often share them.
      let lastShared: string | undefined
      let last = grantFrom(template, key, undefined)
      const forRequest = (variables: VariableSource): Grant => {
        const shared = pattern.keyFor(variables)
        if (shared !== lastShared) {
          last = grantFrom(template, key, shared)
          lastShared = shared
        }
        return last
      }
      return { ...last, forRequest }
    },
  }
}

function templateOf(
  { session, settings, patterns }: Omit<GrantParts, 'storedName'>,
  api: ApiDefinition,
  right: AccessRight,
): GrantTemplate {
  const hasOwnLimits = !apiLimitShape.isZero(right.limit)
  const limits: ApiLimit = hasOwnLimits ? right.limit : session
  const named = (of: Pick<ApiLimit, 'rate' | 'per' | 'smoothing'>, endpoint: string): NamedRate | undefined => {
    const limit = api.document.disableRateLimit ? undefined : rateLimitOf(of, settings.limits)
    return limit && { limit, suffix: endpointSuffix(endpoint) }
  }
  return {
    versions: right === masterRight || api.versioning.kind !== 'named' ? undefined : new Set(right.versions ?? []),
    allowsUrl: makeAllowsUrl(right.allowedUrls, patterns),
    throttle: throttleOf(limits),
    names: makeCounterNames(right.allowanceScope),
    naming: namingOf(right.allowanceScope, session.lastUpdated),
    rate: named(limits, ''),
    endpointRate: makeEndpointRate(right.endpoints, patterns, (limit, endpoint) =>
      named({ ...limit, smoothing: null }, endpoint),
    ),
    quota:
      api.document.disableQuota || limits.quotaMax <= 0
        ? undefined
        : { max: limits.quotaMax, renewalSeconds: limits.quotaRenewalRate },
    shownQuotaMax: limits.quotaMax,
    shownQuotaRenews: hasOwnLimits ? limits.quotaRenews : undefined,
    mcp: speaksMcp(api.document)
      ? makeMcpRights(right, (limit, endpoint) => named({ ...limit, smoothing: null }, endpoint))
      : undefined,
  }
}

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
