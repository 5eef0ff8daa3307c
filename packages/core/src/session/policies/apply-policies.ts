/**
 * Combines all policies of a session into its rights and limits: rights are united (`merge-access-rights.ts`), and of
 * several limits the most generous counts (`merge-limits.ts`). The function is pure and idempotent: a session can be
 * stored with its policies applied and still follows the policies when they change.
 *
 * A key without policies keeps its own rights and limits. If a key has policies:
 * - The APIs that the policies grant replace the key's own access rights.
 * - Up to the first unknown policy, a policy without partitions clears the key's own quota, rate and query depth before
 *   the policies apply. A policy with partitions clears only the values of its partitions. Values that no policy clears
 *   apply to the granted APIs.
 * - Counters in the store do not change, so the count of a quota continues.
 *
 * Source: docs/reference/policies.md#applying-policies.
 */

import { type AccessRight, apiLimitShape, type Session } from '../../ports/session.ts'
import { addPerApi } from './apply-per-api-policy.ts'
import { addShared } from './apply-shared-policy.ts'
import { clearRate, copyQuota, copyRate, copyThrottle } from './merge-limits.ts'
import { type NamedPolicy, policiesOf } from './policies-of-session.ts'
import { isPartitioned, type Policy } from './policy.ts'
import type { PolicyBook } from './policy-book.ts'
import type { Draft } from './policy-draft.ts'

export interface Applied {
  readonly session: Session
  /** Why the policies cannot be applied. `session` is then the intermediate result. */
  readonly problem: string | undefined
}

/** Fixed for clients. `otherOrg` says "skipping", but nothing is skipped: the session stays without its policies. */
const problems = {
  unknown: (id: string) => `policy not found: ${JSON.stringify(id)}`,
  otherOrg: 'attempting to apply policy from different organisation to key, skipping',
  perApiAndParts: (id: string) => `cannot apply policy ${id} which has per_api and any of partitions set`,
  perApiBesideParts: 'cannot apply multiple policies when some have per_api set and some are partitioned',
  nothingGranted: 'key has no valid policies to be applied',
}

/**
 * Applies the policies that the session names. If `api` is given, every policy must belong to the organisation of this
 * API.
 */
export function applyPolicies(session: Session, book: PolicyBook, api?: { readonly orgId: string }): Applied {
  const named = policiesOf(session, book)
  if (named.length === 0) return { session: withOwnScopes(session), problem: undefined }
  const draft: Draft = { session: { ...session }, apis: new Map(), hasPerApi: false, hasPartitioned: false }
  clearWhatPoliciesSet(draft.session, named)
  draft.session.isInactive = false
  for (const { id, policy } of named) {
    if (policy === undefined) {
      if (named.length === 1) return { session: draft.session, problem: problems.unknown(id) }
      continue
    }
    const problem = noteKind(draft, policy, api)
    if (problem !== undefined) return { session: draft.session, problem }
    if (policy.partitions.perApi) addPerApi(draft, policy)
    else addShared(draft, policy)
    addCommon(draft.session, policy)
  }
  return grant(draft)
}

/** A key without policies has a separate counter on each API with its own limit (`allowance_scope`). */
function withOwnScopes(given: Session): Session {
  const session = isSorted(given.tags) ? given : { ...given, tags: sortedTags(given.tags) }
  if (session.accessRights === null) return session
  const rights: Record<string, AccessRight> = Object.create(null)
  for (const [apiId, right] of Object.entries(session.accessRights)) {
    rights[apiId] = apiLimitShape.isZero(right.limit) ? right : { ...right, allowanceScope: apiId }
  }
  return { ...session, accessRights: rights }
}

/** Tags in order, each once. */
function sortedTags(...lists: readonly (readonly string[] | null)[]): string[] {
  return [...new Set(lists.flatMap((tags) => tags ?? []))].sort()
}

function isSorted(tags: readonly string[] | null): boolean {
  return tags === null || tags.every((tag, i) => i === 0 || (tags[i - 1] as string) < tag)
}

/** Source: docs/reference/policies.md#reset-of-session-values. */
function clearWhatPoliciesSet(session: Session, named: readonly NamedPolicy[]): void {
  for (const { policy } of named) {
    if (policy === undefined) return
    const whole = !isPartitioned(policy)
    if (whole || policy.partitions.quota) {
      session.quotaMax = 0
      session.quotaRemaining = 0
    }
    if (whole || policy.partitions.rateLimit) clearRate(session)
    if (whole || policy.partitions.complexity) session.maxQueryDepth = 0
  }
}

/**
 * Notes the kind of the policy in the draft. Returns why the policy cannot be applied.
 * Source: docs/reference/policies.md#unknown-and-foreign-policies.
 */
function noteKind(draft: Draft, policy: Policy, api: { readonly orgId: string } | undefined): string | undefined {
  if (api !== undefined && policy.orgId !== api.orgId) return problems.otherOrg
  const partitioned = isPartitioned(policy)
  if (policy.partitions.perApi) {
    if (partitioned) return problems.perApiAndParts(policy.id)
    if (draft.hasPartitioned) return problems.perApiBesideParts
    draft.hasPerApi = true
  } else if (partitioned) {
    if (draft.hasPerApi) return problems.perApiBesideParts
    draft.hasPartitioned = true
  }
  return undefined
}

/** The fields that every policy sets, regardless of its partitions. Source: docs/reference/policies.md#remaining-fields. */
function addCommon(session: Session, policy: Policy): void {
  session.isInactive ||= policy.isInactive
  session.hmacEnabled ||= policy.hmacEnabled
  // A per_api policy sets limits of APIs and does not change how the key proves itself.
  session.enableHttpSignatureValidation ||= policy.enableHttpSignatureValidation && !policy.partitions.perApi
  if (policy.tags !== null || !isSorted(session.tags)) session.tags = sortedTags(session.tags, policy.tags)
  if (policy.metaData !== null) session.metaData = overlay(session.metaData, policy.metaData)
  if (policy.lastUpdated > session.lastUpdated) session.lastUpdated = policy.lastUpdated
  const setsAction = policy.postExpiryAction !== ''
  if (setsAction) session.postExpiryAction = policy.postExpiryAction
  if (setsAction || policy.postExpiryGracePeriod !== 0) session.postExpiryGracePeriod = policy.postExpiryGracePeriod
}

function overlay(under: Record<string, unknown> | null, over: Record<string, unknown>): Record<string, unknown> {
  const merged: Record<string, unknown> = Object.create(null)
  for (const layer of [under ?? {}, over]) for (const name of Object.keys(layer)) merged[name] = layer[name]
  return merged
}

/** Source: docs/reference/policies.md#final-access-rights. */
function grant(draft: Draft): Applied {
  const { session } = draft
  const granted = [...draft.apis].filter(([, it]) => it.granted)
  if (granted.length === 0) return { session, problem: problems.nothingGranted }
  const isShared = new Set(granted.map(([, it]) => it.setBy)).size <= 1
  const rights: Record<string, AccessRight> = Object.create(null)
  for (const [apiId, it] of granted) {
    const { limit } = it.right
    if (!it.hasRate) {
      copyRate(limit, session)
      copyThrottle(limit, session)
    }
    if (!it.hasQuota) {
      copyQuota(limit, session)
      limit.quotaRenews = session.quotaRenews
      limit.quotaRemaining = 0
    }
    if (!it.hasComplexity) limit.maxQueryDepth = session.maxQueryDepth
    const scope = it.right.allowanceScope
    rights[apiId] = { ...it.right, limit, allowanceScope: scope === '' && !isShared ? it.setBy : scope }
  }
  copyFromSingleApi(draft)
  session.accessRights = rights
  return { session, problem: undefined }
}

/** If all policies concern one API and set its quota, rate and query depth, the session gets these too. */
function copyFromSingleApi(draft: Draft): void {
  const only = draft.apis.size === 1 ? [...draft.apis.values()][0] : undefined
  if (only === undefined || !only.hasQuota || !only.hasRate || !only.hasComplexity) return
  copyRate(draft.session, only.right.limit)
  copyQuota(draft.session, only.right.limit)
  draft.session.quotaRenews = only.right.limit.quotaRenews
  draft.session.maxQueryDepth = only.right.limit.maxQueryDepth
}
