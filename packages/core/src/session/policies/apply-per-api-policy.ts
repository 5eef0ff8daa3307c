/** Applies a `per_api` policy, whose APIs have separate counters. Source: docs/reference/policies.md#applying-policies. */

import { type AccessRight, apiLimitShape } from '../../ports/session.ts'
import { mergeAccessRights } from './merge-access-rights.ts'
import { copyQuota, copyRate, copyThrottle, mergeEndpoints, raiseApiLimit } from './merge-limits.ts'
import type { Policy } from './policy.ts'
import { type ApiDraft, type Draft, keepingState } from './policy-draft.ts'

/** Adds the policy's APIs with their own limits, or with the policy's limits if an entry has none. */
export function addPerApi(draft: Draft, policy: Policy): void {
  for (const [apiId, given] of Object.entries(policy.accessRights ?? {})) {
    const takesPolicy = apiLimitShape.isZero(given.limit)
    const scope = takesPolicy ? policy.id : apiId
    const limit = takesPolicy ? limitOf(policy) : { ...given.limit, quotaRenews: 0, quotaRemaining: 0 }
    const known = draft.apis.get(apiId)
    const it: ApiDraft = {
      right: { ...given, limit, allowanceScope: scope },
      granted: true,
      hasQuota: true,
      hasRate: true,
      hasComplexity: true,
      setBy: scope,
    }
    if (known !== undefined) mergePerApi(it, known)
    it.right.limit = keepingState(draft, apiId, limit)
    draft.apis.set(apiId, it)
  }
}

/** The API gets the counter scope of the policy that raised the limit, together with its values. */
function mergePerApi(it: ApiDraft, known: ApiDraft): void {
  const raised = raiseApiLimit(it.right.limit, known.right.limit)
  const scope = raised ? known.right.allowanceScope : it.right.allowanceScope
  it.right = {
    ...mergeAccessRights({ ...known.right, apiId: it.right.apiId, apiName: it.right.apiName }, it.right),
    limit: it.right.limit,
    allowanceScope: scope,
    endpoints: mergeEndpoints(known.right.endpoints, it.right.endpoints),
  }
  it.setBy = raised ? known.setBy : scope
}

function limitOf(policy: Policy): AccessRight['limit'] {
  const limit = apiLimitShape.zero()
  copyRate(limit, policy)
  copyThrottle(limit, policy)
  copyQuota(limit, policy)
  limit.maxQueryDepth = policy.maxQueryDepth
  return limit
}
