/** GET /svc/org/keys. Source: docs/reference/organisation-sessions.md#organisation-enforcement. */
import { failure, json } from '../http/reply.ts'
import { keyListSchema } from '../keys/key-list.ts'
import { type Operation, queryOf } from '../operation.ts'
import { hasNoApi } from './org-replies.ts'

export const listOrgs: Operation = {
  id: 'listOrganisations',
  method: 'GET',
  path: '/svc/org/keys',
  tag: 'organisations',
  summary: 'Organisations that have a session',
  query: [{ name: 'filter', description: 'What ids begin with' }],
  responses: {
    200: { description: 'The list, sorted', schema: keyListSchema },
    404: 'No API is loaded',
  },
  async handle(call) {
    if (hasNoApi(call)) return failure(404, 'ORG not found')
    return json({ keys: await call.management.orgs.list(queryOf(call, 'filter')) })
  },
}
