/** Shared by the calls on policies. Source: docs/reference/policies.md#policy-sources. */
import { isSafeApiId, isSafePolicyId, policyShape } from '@turnpike/core'
import { failure, type Reply } from '../http/reply.ts'
import type { Call, Operation, ResponseNote } from '../operation.ts'

/** Rejects every change while a dashboard manages the policies. */
export function refuseByService(call: Call): Reply | undefined {
  if (!call.management.options.policiesByService) return undefined
  return failure(500, 'Due to enabled service policy source, please use the Dashboard API')
}

/** Returns true if the id can be a file name. `allow_unsafe_policy_ids` allows more characters, but never a path. */
export function isAllowedPolicyId(call: Call, id: string): boolean {
  return isSafePolicyId(id) || (call.management.options.unsafePolicyIds && isSafeApiId(id))
}

export const policyResponse: ResponseNote = { description: 'The policy, with every field', schema: policyShape.schema }

export const changeNote: Pick<Operation, 'tag' | 'description'> = {
  tag: 'policies',
  description: 'Writes a file of this node; takes effect at the next reload.',
}
