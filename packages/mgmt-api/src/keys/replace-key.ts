/** PUT /svc/keys/{name}: replaces a session. Source: docs/reference/key-management.md#create-or-replace-a-key. */
import { sessionShape } from '@turnpike/core'
import { done } from '../http/reply.ts'
import { type Operation, paramOf, queryOf } from '../operation.ts'
import { addressOf } from './key-address.ts'
import { doneResponse, hashedQuery, malformed, suppressResetQuery, usernameQuery } from './key-reply.ts'
import { readSession } from './read-session.ts'
import { keyUnknown, refuseSave, saveRefusals } from './refuse-save.ts'

export const replaceKey: Operation = {
  id: 'updateKey',
  method: 'PUT',
  path: '/svc/keys/{name}',
  tag: 'keys',
  summary: 'Replace the session of a key',
  description: 'What the body leaves out is gone, but for the creation date and the password.',
  query: [hashedQuery, usernameQuery, suppressResetQuery],
  body: { schema: sessionShape.schema, description: 'The session; its `org_id` completes short names' },
  responses: { 200: doneResponse, 404: 'Key is not found', ...saveRefusals },
  async handle(call) {
    const body = await readSession(call, malformed)
    if (body.refusal) return body.refusal
    const orgId = queryOf(call, 'username') === 'true' ? queryOf(call, 'org_id') || body.value.orgId : body.value.orgId
    const address = { ...addressOf(call, paramOf(call, 'name')), orgId }
    const suppressReset = queryOf(call, 'suppress_reset') === '1'
    const written = await call.management.keys.replace(address, body.value, { suppressReset })
    return written.kind === 'written' ? done(written.keyName, 'modified', body.warnings) : refuseSave(written)
  },
}

export const replaceNoKey: Operation = {
  id: 'updateUnnamedKey',
  method: 'PUT',
  path: '/svc/keys',
  tag: 'keys',
  summary: 'Rejected: the path must name a key',
  body: { schema: sessionShape.schema, description: 'The session' },
  responses: { 400: 'The body cannot be parsed', 404: 'Key is not found' },
  async handle(call) {
    const body = await readSession(call, malformed)
    return body.refusal ?? keyUnknown
  },
}
