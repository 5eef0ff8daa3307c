/**
 * Prepares a session for storage: applies policies, and sets the expiry of new keys, dates and lifetime. It writes
 * nothing, so that a rejected change has no effect.
 * Source: docs/reference/key-management.md#create-a-random-key, docs/reference/key-management.md#quota-reset.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { unixSeconds } from '../../lib/text/time.ts'
import type { Millis } from '../../ports/clock.ts'
import { apiLimitShape, type Session } from '../../ports/session.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import { newKeyExpires } from '../expiry.ts'
import { storageLifetimeMs } from '../lifetime.ts'
import { applyPolicies } from '../policies/apply-policies.ts'
import type { PolicyBook } from '../policies/policy-book.ts'
import type { KeyRejection } from './key-registry-types.ts'
import { wantsReset } from './reset-counters.ts'

export interface SaveRequest {
  readonly session: Session
  /** The stored session; `undefined`: the key is new. */
  readonly stored: Session | undefined
  /** `suppress_reset=1`: counters and `last_updated` do not change. */
  readonly suppressReset: boolean
  /** With `suppressReset`: `quota_renews` and `last_updated` of `stored` replace those of `session`. */
  readonly keepsPeriod: boolean
}

export interface SaveFacts {
  readonly now: Millis
  readonly settings: GatewaySettings
  readonly policies: PolicyBook
  readonly apis: readonly ApiDefinition[]
  findApi(id: string): ApiDefinition | undefined
}

export interface ReadyToSave {
  readonly kind: 'ready'
  readonly session: Session
  /** `undefined`: forever. */
  readonly lifetimeMs: Millis | undefined
  readonly reset: boolean
}

/** Returns the session to store, or the reason for a rejection. */
export function prepareSave(request: SaveRequest, facts: SaveFacts): ReadyToSave | KeyRejection {
  const { settings, policies, now } = facts
  const opened = Object.keys(request.session.accessRights ?? {})
  if (opened.length === 0 && !settings.keys.allowMasterKeys) return { kind: 'no-rights' }
  // A master key has access to every API, so the settings of all APIs apply.
  const concerned = opened.length === 0 ? [...facts.apis] : opened.map(facts.findApi)

  const applied = applyForEach(withExpiry(request, policies, now), concerned, policies)
  if ('reason' in applied) return applied
  const { session } = applied
  const reset = !request.suppressReset && wantsReset(concerned)
  if (!request.suppressReset) session.lastUpdated = String(unixSeconds(now))
  if (reset) session.quotaRenews = unixSeconds(now) + session.quotaRenewalRate
  if (request.suppressReset && request.keepsPeriod && request.stored !== undefined) keepPeriods(session, request.stored)

  const loaded = concerned.filter((api) => api !== undefined).map((api) => api.document)
  const lifetimeMs = storageLifetimeMs(session, loaded, settings.lifetimes, now)
  return { kind: 'ready', session, lifetimeMs, reset }
}

function withExpiry({ session, stored }: SaveRequest, policies: PolicyBook, now: Millis): Session {
  if (stored !== undefined) return session
  return { ...session, expires: newKeyExpires(session, policies, now) ?? session.expires }
}

/** Applies the policies once per organisation of the APIs. The first problem rejects the session. */
function applyForEach(
  given: Session,
  concerned: readonly (ApiDefinition | undefined)[],
  policies: PolicyBook,
): { session: Session } | Extract<KeyRejection, { kind: 'policies' }> {
  const orgIds = new Set<string | undefined>(concerned.map((api) => api?.orgId))
  if (orgIds.size === 0) orgIds.add(undefined)
  let session = given
  for (const orgId of orgIds) {
    const applied = applyPolicies(session, policies, orgId === undefined ? undefined : { orgId })
    if (applied.problem !== undefined) return { kind: 'policies', reason: applied.problem }
    session = applied.session
  }
  return { session: { ...session } }
}

function keepPeriods(session: Session, stored: Session): void {
  session.lastUpdated = stored.lastUpdated
  session.quotaRenews = stored.quotaRenews
  if (session.accessRights === null) return
  const rights: NonNullable<Session['accessRights']> = Object.create(null)
  for (const [apiId, right] of Object.entries(session.accessRights)) {
    const before = stored.accessRights?.[apiId]?.limit
    // A limit without fields must stay so, because then the limits of the session apply.
    const keeps = before !== undefined && !apiLimitShape.isZero(before) && !apiLimitShape.isZero(right.limit)
    rights[apiId] = keeps ? { ...right, limit: { ...right.limit, quotaRenews: before.quotaRenews } } : right
  }
  session.accessRights = rights
}
