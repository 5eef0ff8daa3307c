/** POST and PUT /svc/org/keys/{org}: both store or replace. Source: docs/reference/organisation-sessions.md#organisation-enforcement. */
import { sessionShape } from '@turnpike/core'
import { done, failure, type Reply } from '../http/reply.ts'
import { doneResponse, malformed } from '../keys/key-reply.ts'
import { readSession } from '../keys/read-session.ts'
import { type Call, type Operation, paramOf, queryOf } from '../operation.ts'
import { hasNoApi } from './org-replies.ts'

const shared = {
  path: '/svc/org/keys/{org}',
  tag: 'organisations',
  query: [{ name: 'reset_quota', description: '`1`: resets the quota of the organisation' }],
  body: { schema: sessionShape.schema, description: 'The session; nothing in it is required' },
  responses: {
    200: doneResponse,
    400: 'The body cannot be parsed',
    404: 'No API is loaded, and `suppress_default_org_store` is on',
  },
} satisfies Partial<Operation>

export const addOrg: Operation = {
  ...shared,
  id: 'addOrganisation',
  method: 'POST',
  summary: 'Store the session of an organisation',
  handle: (call) => store(call, 'added'),
}

export const updateOrg: Operation = {
  ...shared,
  id: 'updateOrganisation',
  method: 'PUT',
  summary: 'Replace the session of an organisation, or create it',
  handle: (call) => store(call, 'modified'),
}

async function store(call: Call, action: 'added' | 'modified'): Promise<Reply> {
  const body = await readSession(call, malformed)
  if (body.refusal) return body.refusal
  if (hasNoApi(call) && call.management.options.suppressDefaultOrgStore) {
    return failure(404, 'No such organisation found in Active API list')
  }
  const orgId = paramOf(call, 'org')
  await call.management.orgs.put(orgId, body.value, queryOf(call, 'reset_quota') === '1')
  return done(orgId, action, body.warnings)
}
