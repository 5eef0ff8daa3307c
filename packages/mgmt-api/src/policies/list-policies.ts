/** GET /svc/policies. Source: spec/sessions-and-limits.md 4.2. */
import { policyShape, toWirePolicy } from '@turnpike/core'
import { json } from '../http/reply.ts'
import type { Operation } from '../operation.ts'

export const listPolicies: Operation = {
  id: 'listPolicies',
  method: 'GET',
  path: '/svc/policies',
  tag: 'policies',
  summary: 'All policies in force',
  answers: {
    200: { description: 'Policies, order open', schema: { type: 'array', items: policyShape.schema } },
  },
  handle: ({ management }) => json(management.policies().policies.map(toWirePolicy)),
}
