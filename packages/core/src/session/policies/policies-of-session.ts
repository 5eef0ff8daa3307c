/** The policies of a session: those that its metadata contain, or else those that it names. */

import type { Session } from '../../ports/session.ts'
import { readPolicy } from './parse-policies.ts'
import type { Policy } from './policy.ts'
import type { PolicyBook } from './policy-book.ts'

export interface NamedPolicy {
  readonly id: string
  /** `undefined`: the policy does not exist or belongs to another organisation. */
  readonly policy: Policy | undefined
}

/** The policy ids of a session. `apply_policy_id` applies only if the list is empty. */
export function policyIdsOf(session: Session): readonly string[] {
  if (session.applyPolicies !== null && session.applyPolicies.length > 0) return session.applyPolicies
  return session.applyPolicyId === '' ? [] : [session.applyPolicyId]
}

/** The policies of a session in the order in which they are applied. */
export function policiesOf(session: Session, book: PolicyBook): readonly NamedPolicy[] {
  const inline = inlinePolicies(session.metaData?.policies)
  if (inline !== undefined) return inline.map((policy) => ({ id: policy.id, policy }))
  return policyIdsOf(session).map((id) => ({ id, policy: book.find(id, session.orgId) }))
}

/** An empty or invalid list is ignored, so that it cannot remove the limits of the named policies. */
function inlinePolicies(value: unknown): Policy[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const policies: Policy[] = []
  for (const entry of value) {
    const read = readPolicy(entry)
    if ('problem' in read) return undefined
    policies.push(read.policy)
  }
  return policies
}
