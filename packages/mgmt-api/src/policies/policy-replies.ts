/** What the calls on policies share. Source: docs/reference/policies.md#policy-sources. */
import { isSafeApiId, isSafePolicyId, policyShape } from '@turnpike/core'
import { failure, type Reply } from '../http/reply.ts'
import type { AnswerNote, Call, Operation } from '../operation.ts'

/** The refusal of every change while policies are a dashboard's matter. */
export function refuseByService(call: Call): Reply | undefined {
  if (!call.management.options.policiesByService) return undefined
  return failure(500, 'Due to enabled service policy source, please use the Dashboard API')
}

/** Whether the id may name a file. Unsafe ids are those with other signs, never those that lead out of the folder. */
export function isAllowedPolicyId(call: Call, id: string): boolean {
  return isSafePolicyId(id) || (call.management.options.unsafePolicyIds && isSafeApiId(id))
}

export const policyAnswer: AnswerNote = { description: 'The policy, with every field', schema: policyShape.schema }

export const changeNote: Pick<Operation, 'tag' | 'description'> = {
  tag: 'policies',
  description: 'Writes a file of this node; takes effect at the next reload.',
}
