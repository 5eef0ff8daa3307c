/** GET /svc/policies. Source: docs/reference/policies.md#policy-sources. */
import { policyShape, toWirePolicy } from '@turnpike/core'
import { serialisePolicy } from '../http/generated/serialisers.ts'
import { jsonText, listText } from '../http/reply.ts'
import type { Operation } from '../operation.ts'

export const listPolicies: Operation = {
  id: 'listPolicies',
  method: 'GET',
  path: '/svc/policies',
  tag: 'policies',
  summary: 'All policies in force',
  responses: {
    200: { description: 'Policies, order open', schema: { type: 'array', items: policyShape.schema } },
  },
  handle({ management }) {
    const { policies } = management.policies()
    return jsonText(listText(policies, (policy) => serialisePolicy(toWirePolicy(policy))))
  },
}
