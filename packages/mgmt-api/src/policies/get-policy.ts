/** GET /svc/policies/{id}. Source: docs/reference/policies.md#policy-sources. */
import { toWirePolicy } from '@turnpike/core'
import { serialisePolicy } from '../http/generated/serialisers.ts'
import { failure, jsonText } from '../http/reply.ts'
import { type Operation, paramOf } from '../operation.ts'
import { policyResponse } from './policy-replies.ts'

export const getPolicy: Operation = {
  id: 'getPolicy',
  method: 'GET',
  path: '/svc/policies/{id}',
  tag: 'policies',
  summary: 'A policy in force',
  responses: { 200: policyResponse, 404: 'Policy not found' },
  handle(call) {
    const policy = call.management.policies().get(paramOf(call, 'id'))
    return policy === undefined ? failure(404, 'Policy not found') : jsonText(serialisePolicy(toWirePolicy(policy)))
  },
}
