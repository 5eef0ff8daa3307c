/** GET /svc/org/keys/{org}. Source: docs/reference/organisation-sessions.md#organisation-enforcement. */
import { sessionResponse, showSession } from '../keys/key-reply.ts'
import { type Operation, paramOf } from '../operation.ts'
import { hasNoApi, orgNotFound } from './org-replies.ts'

export const getOrg: Operation = {
  id: 'getOrganisation',
  method: 'GET',
  path: '/svc/org/keys/{org}',
  tag: 'organisations',
  summary: 'The session of an organisation',
  responses: { 200: sessionResponse, 404: 'Org not found' },
  async handle(call) {
    if (hasNoApi(call)) return orgNotFound
    const session = await call.management.orgs.read(paramOf(call, 'org'))
    return session === undefined ? orgNotFound : showSession(session)
  },
}
