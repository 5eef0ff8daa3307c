/** POST /svc/keys and /svc/keys/{name}: a random or a custom key. Source: docs/reference/key-management.md#create-or-replace-a-key. */
import { sessionShape } from '@turnpike/core'
import { done } from '../http/reply.ts'
import { type Call, type Operation, paramOf, queryOf } from '../operation.ts'
import { doneResponse, hashNote, malformed, suppressResetQuery } from './key-reply.ts'
import { readSession } from './read-session.ts'
import { refuseSave, saveRefusals } from './refuse-save.ts'

const shared = {
  method: 'POST',
  tag: 'keys',
  query: [suppressResetQuery],
  body: { schema: sessionShape.schema, description: 'The session' },
  responses: { 200: doneResponse, ...saveRefusals },
  handle,
} satisfies Partial<Operation>

export const putRandomKey: Operation = {
  ...shared,
  id: 'addKey',
  path: '/svc/keys',
  summary: 'Make a key with a random name, with the checks of an update',
}

export const putCustomKey: Operation = {
  ...shared,
  id: 'addCustomKey',
  path: '/svc/keys/{name}',
  summary: 'Make a key with a name of your own; one that is there is replaced',
}

async function handle(call: Call) {
  const body = await readSession(call, malformed)
  if (body.refusal) return body.refusal
  const suppressReset = queryOf(call, 'suppress_reset') === '1'
  const isBasicUser = body.value.basicAuthData.password !== ''
  const written = await call.management.keys.put(paramOf(call, 'name'), body.value, { suppressReset })
  if (written.kind !== 'written') return refuseSave(written)
  // A basic user logs in with the name; with hashed keys the response omits the full name.
  const key = isBasicUser && call.management.settings.keys.hashKeys ? '' : written.keyName
  return done(key, 'added', { ...hashNote(call, written.storedName), ...body.warnings })
}
