/**
 * What becomes of a session before it is stored: policies applied with the organisation of each API it opens, expiry
 * of new keys, dates, lifetime. Decides only; nothing is written here, so that a refusal leaves everything as it was.
 * Source: docs/reference/key-management.md#create-a-random-key, docs/reference/key-management.md#quota-reset.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { unixSeconds } from '../../lib/text/time.ts'
import type { Millis } from '../../ports/clock.ts'
import type { Session } from '../../ports/session.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import { storageLifetimeMs } from '../lifetime.ts'
import { applyPolicies } from '../policies/apply-policies.ts'
import { policyIdsOf } from '../policies/policies-of-session.ts'
import type { PolicyBook } from '../policies/policy-book.ts'
import type { KeyRefusal } from './key-registry-parts.ts'
import { wantsReset } from './key-registry-reset.ts'

export interface SaveWish {
  readonly session: Session
  /** What is stored now; `undefined`: a new key. */
  readonly stored: Session | undefined
  /** `suppress_reset=1`: counters, `quota_renews` and `last_updated` stay. */
  readonly suppressReset: boolean
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
  /** `undefined`: for good. */
  readonly lifetimeMs: Millis | undefined
  readonly reset: boolean
}

/** The session as it is to be stored, or why it must not be. */
export function prepareSave(wish: SaveWish, facts: SaveFacts): ReadyToSave | KeyRefusal {
  const { settings, policies, now } = facts
  const opened = Object.keys(wish.session.accessRights ?? {})
  if (opened.length === 0 && !settings.keys.allowMasterKeys) return { kind: 'no-rights' }
  // A master key opens every API, so all of them are asked.
  const concerned = opened.length === 0 ? [...facts.apis] : opened.map(facts.findApi)

  const applied = applyForEach(withExpiry(wish, policies, now), concerned, policies)
  if ('reason' in applied) return applied
  const { session } = applied
  const reset = !wish.suppressReset && wantsReset(concerned)
  if (!wish.suppressReset) session.lastUpdated = String(unixSeconds(now))
  if (reset) session.quotaRenews = unixSeconds(now) + session.quotaRenewalRate
  if (wish.suppressReset && wish.stored !== undefined) keepRenewals(session, wish.stored)

  const loaded = concerned.filter((api) => api !== undefined).map((api) => api.document)
  const lifetimeMs = storageLifetimeMs(session, loaded, settings.lifetimes, now)
  return { kind: 'ready', session, lifetimeMs, reset }
}

/** `key_expires_in` of its policies, for new keys only; it counts over an expiry that was given. */
function withExpiry({ session, stored }: SaveWish, policies: PolicyBook, now: Millis): Session {
  if (stored !== undefined) return session
  let expires = session.expires
  for (const id of policyIdsOf(session)) {
    const seconds = policies.find(id, session.orgId)?.keyExpiresIn ?? 0
    if (seconds > 0) expires = unixSeconds(now) + seconds
  }
  return { ...session, expires }
}

/** Applies the policies with each API's organisation; the first that fails refuses the whole. */
function applyForEach(
  given: Session,
  concerned: readonly (ApiDefinition | undefined)[],
  policies: PolicyBook,
): { session: Session } | Extract<KeyRefusal, { kind: 'policies' }> {
  const asked = new Set<string | undefined>(concerned.map((api) => api?.orgId))
  if (asked.size === 0) asked.add(undefined)
  let session = given
  for (const orgId of asked) {
    const applied = applyPolicies(session, policies, orgId === undefined ? undefined : { orgId })
    if (applied.problem !== undefined) return { kind: 'policies', reason: applied.problem }
    session = applied.session
  }
  return { session: { ...session } }
}

function keepRenewals(session: Session, stored: Session): void {
  session.lastUpdated = stored.lastUpdated
  session.quotaRenews = stored.quotaRenews
  if (session.accessRights === null) return
  const rights: NonNullable<Session['accessRights']> = Object.create(null)
  for (const [apiId, right] of Object.entries(session.accessRights)) {
    const quotaRenews = stored.accessRights?.[apiId]?.limit.quotaRenews ?? 0
    rights[apiId] = { ...right, limit: { ...right.limit, quotaRenews } }
  }
  session.accessRights = rights
}
