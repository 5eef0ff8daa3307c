/** Applies a policy whose APIs share its limits. Source: docs/reference/policies.md#applying-policies. */

import { mergeAccessRights } from './merge-access-rights.ts'
import {
  copyQuota,
  copyRate,
  copyThrottle,
  mergeEndpoints,
  raiseComplexity,
  raiseQuota,
  raiseRate,
} from './merge-limits.ts'
import { isPartitioned, type Policy } from './policy.ts'
import { type Draft, draftOf } from './policy-draft.ts'

/** Adds the fields of the policy's partitions, or all fields if the policy is not partitioned. */
export function addShared(draft: Draft, policy: Policy): void {
  const { session } = draft
  const whole = !isPartitioned(policy)
  const sets = {
    acl: whole || policy.partitions.acl,
    quota: whole || policy.partitions.quota,
    rate: whole || policy.partitions.rateLimit,
    complexity: whole || policy.partitions.complexity,
  }
  const rights = Object.entries(policy.accessRights ?? {})
  for (const [apiId, given] of rights) {
    const it = draftOf(draft, apiId)
    const { limit } = it.right
    if (sets.acl) {
      it.right = { ...mergeAccessRights(it.right, given), limit }
      it.granted = true
      it.setBy = policy.id
    }
    if (sets.quota) {
      it.hasQuota = true
      raiseQuota(limit, policy)
      raiseQuota(session, policy)
    }
    if (sets.rate) {
      it.hasRate = true
      raiseRate(limit, policy)
      raiseRate(session, policy)
      it.right = { ...it.right, endpoints: mergeEndpoints(it.right.endpoints, given.endpoints) }
    }
    if (sets.complexity) {
      it.hasComplexity = true
      raiseComplexity(limit, policy)
      raiseComplexity(session, policy)
    }
  }
  if (rights.length > 0) return
  if (sets.quota) copyQuota(session, policy)
  if (sets.complexity) session.maxQueryDepth = policy.maxQueryDepth
  if (!sets.rate) return
  copyRate(session, policy)
  copyThrottle(session, policy)
}
