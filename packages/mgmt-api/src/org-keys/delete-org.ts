/** DELETE /svc/org/keys/{org}. Source: docs/reference/organisation-sessions.md#organisation-enforcement. */
import { done, failure } from '../http/reply.ts'
import { doneResponse } from '../keys/key-reply.ts'
import { type Operation, paramOf } from '../operation.ts'
import { hasNoApi, orgNotFound } from './org-replies.ts'

export const deleteOrg: Operation = {
  id: 'deleteOrganisation',
  method: 'DELETE',
  path: '/svc/org/keys/{org}',
  tag: 'organisations',
  summary: 'Remove the session of an organisation',
  responses: { 200: doneResponse, 400: 'It has none', 404: 'No API is loaded' },
  async handle(call) {
    if (hasNoApi(call)) return orgNotFound
    const orgId = paramOf(call, 'org')
    const removed = await call.management.orgs.remove(orgId)
    return removed ? done(orgId, 'deleted') : failure(400, 'Failed to remove the key')
  },
}
