/** The organisation of a new key, if the options name none: that of its policies, otherwise that of its APIs. */

import type { PolicyBook } from '@turnpike/core/session'
import type { Session } from '../../client/index.ts'

/** Returns the organisation; `problem`: the policies do not agree on one. `undefined`: no known policy is named. */
export function organisationOfPolicies(
  session: Session,
  policies: PolicyBook,
): { readonly orgId: string } | { readonly problem: string } | undefined {
  const ids = session.apply_policies?.length
    ? session.apply_policies
    : session.apply_policy_id
      ? [session.apply_policy_id]
      : []
  const choices = ids.map((id) => ({ id, orgIds: orgIdsOf(id, policies) })).filter(({ orgIds }) => orgIds.length > 0)
  const first = choices[0]
  if (first === undefined) return undefined
  const common = first.orgIds.filter((orgId) => choices.every(({ orgIds }) => orgIds.includes(orgId)))
  if (common.length === 1) return { orgId: common[0] as string }
  if (common.length > 1) {
    return { problem: `several organisations have policy "${first.id}": ${common.join(', ')} (choose one with --org)` }
  }
  const owners = choices.map(({ id, orgIds }) => `"${id}" (${orgIds.join(', ')})`).join(', ')
  return { problem: `the policies belong to different organisations: ${owners} (use policies of one organisation)` }
}

function orgIdsOf(id: string, { policies }: PolicyBook): string[] {
  return [...new Set(policies.filter((policy) => policy.id === id).map(({ orgId }) => orgId))]
}
