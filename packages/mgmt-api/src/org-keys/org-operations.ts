/** Sessions of organisations: /svc/org/keys. Source: docs/reference/organisation-sessions.md#organisation-enforcement. */

import { sessionShape } from '@turnpike/core/ports'
import { done, failure, json, malformed, type Reply } from '../http/reply.ts'
import { sessionResponse, showSession } from '../keys/key-reply.ts'
import { keyListSchema } from '../keys/read-keys.ts'
import { readSession } from '../keys/read-session.ts'
import { type Call, doneResponse, type Operation, paramOf, queryOf } from '../operation.ts'

const orgNotFound: Reply = failure(404, 'Org not found')

/** An organisation exists only if it has an API, as in original gateways. */
function hasNoApi(call: Call): boolean {
  return call.management.definitions().length === 0
}

export const listOrgs: Operation = {
  id: 'listOrganisations',
  method: 'GET',
  path: '/svc/org/keys',
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

export const getOrg: Operation = {
  id: 'getOrganisation',
  method: 'GET',
  path: '/svc/org/keys/{org}',
  summary: 'The session of an organisation',
  responses: { 200: sessionResponse, 404: 'Org not found' },
  async handle(call) {
    if (hasNoApi(call)) return orgNotFound
    const session = await call.management.orgs.read(paramOf(call, 'org'))
    return session === undefined ? orgNotFound : showSession(session)
  },
}

const shared = {
  path: '/svc/org/keys/{org}',
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
  if (body.rejection) return body.rejection
  if (hasNoApi(call) && call.management.options.suppressDefaultOrgStore) {
    return failure(404, 'No such organisation found in Active API list')
  }
  const orgId = paramOf(call, 'org')
  await call.management.orgs.put(orgId, body.value, queryOf(call, 'reset_quota') === '1')
  return done(orgId, action, body.warnings)
}

export const deleteOrg: Operation = {
  id: 'deleteOrganisation',
  method: 'DELETE',
  path: '/svc/org/keys/{org}',
  summary: 'Remove the session of an organisation',
  responses: { 200: doneResponse, 400: 'It has none', 404: 'No API is loaded' },
  async handle(call) {
    if (hasNoApi(call)) return orgNotFound
    const orgId = paramOf(call, 'org')
    const removed = await call.management.orgs.remove(orgId)
    return removed ? done(orgId, 'deleted') : failure(400, 'Failed to remove the key')
  },
}
