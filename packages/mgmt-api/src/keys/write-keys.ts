/** Calls that create, change or remove keys. Source: docs/reference/key-management.md#create-or-replace-a-key. */
import { list, object, text } from '@turnpike/core/lib'
import { StoreUnavailableError, sessionShape } from '@turnpike/core/ports'
import type { KeyRejection, WrittenKey } from '@turnpike/core/session'
import { readBody } from '../calls/read-body.ts'
import { done, failure, json, malformed, type Reply } from '../http/reply.ts'
import { type Call, doneResponse, type Operation, paramOf, queryOf } from '../operation.ts'
import {
  addressOf,
  hashedQuery,
  hashNote,
  keyNotFound,
  orgIdQuery,
  suppressResetQuery,
  usernameQuery,
} from './key-reply.ts'
import { readSession } from './read-session.ts'

/** Error responses when POST or PUT with the name of a key did not write it. */
const saveRejections: Operation['responses'] = {
  400: 'The body cannot be parsed, or its certificates or MCP fields are unfit',
  500: 'No access rights, or a policy cannot be applied',
}

export const createKey: Operation = {
  id: 'createKey',
  method: 'POST',
  path: '/svc/keys/create',
  summary: 'Make a key with a random name',
  body: { schema: sessionShape.schema, description: 'The session' },
  responses: {
    200: doneResponse,
    400: 'No access rights, or a certificate that is not stored',
    500: 'The body cannot be parsed, a policy cannot be applied, or the store is unavailable',
  },
  async handle(call) {
    const body = await readSession(call, failure(500, 'Unmarshalling failed'))
    if (body.rejection) return body.rejection
    let written: WrittenKey | KeyRejection
    try {
      written = await call.management.keys.create(body.value)
    } catch (cause) {
      if (call.management.health.usesRedis && cause instanceof StoreUnavailableError) return storeUnavailable
      throw cause
    }
    if (written.kind !== 'written') return reject(written)
    return done(written.keyName, 'added', { ...hashNote(call, written.storedName), ...body.warnings })
  },
}

/** Clients check for this text of Redis. Other stores get 503, as for all calls. */
const storeUnavailable = failure(500, 'Failed to create key - storage: Redis is either down or was not configured')

function reject(rejection: KeyRejection): Reply {
  switch (rejection.kind) {
    case 'no-rights':
      return failure(400, 'Failed to create key, keys must have at least one Access Rights record set.')
    case 'policies':
      return failure(500, `Failed to create key - ${rejection.reason}`)
    case 'certificate-taken':
      return failure(500, `Failed to create key - Key with given certificate already found:${rejection.keyName}`)
    case 'certificate':
    case 'invalid-session':
      return failure(400, rejection.message)
    case 'unknown-key':
      return failure(404, 'Key is not found')
  }
}

const shared = {
  method: 'POST',
  query: [suppressResetQuery],
  body: { schema: sessionShape.schema, description: 'The session' },
  responses: { 200: doneResponse, ...saveRejections },
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
  if (body.rejection) return body.rejection
  const suppressReset = queryOf(call, 'suppress_reset') === '1'
  const isBasicUser = body.value.basicAuthData.password !== ''
  const written = await call.management.keys.put(paramOf(call, 'name'), body.value, { suppressReset })
  if (written.kind !== 'written') return rejectSave(written)
  // A basic user logs in with the name; with hashed keys the response omits the full name.
  const key = isBasicUser && call.management.settings.keys.hashKeys ? '' : written.keyName
  return done(key, 'added', { ...hashNote(call, written.storedName), ...body.warnings })
}

export const replaceKey: Operation = {
  id: 'updateKey',
  method: 'PUT',
  path: '/svc/keys/{name}',
  summary: 'Replace the session of a key',
  description: 'What the body leaves out is gone, but for the creation date and the password.',
  query: [hashedQuery, usernameQuery, suppressResetQuery],
  body: { schema: sessionShape.schema, description: 'The session; its `org_id` completes short names' },
  responses: { 200: doneResponse, 404: 'Key is not found', ...saveRejections },
  async handle(call) {
    const body = await readSession(call, malformed)
    if (body.rejection) return body.rejection
    const orgId = queryOf(call, 'username') === 'true' ? queryOf(call, 'org_id') || body.value.orgId : body.value.orgId
    const address = { ...addressOf(call, paramOf(call, 'name')), orgId }
    const suppressReset = queryOf(call, 'suppress_reset') === '1'
    const written = await call.management.keys.replace(address, body.value, { suppressReset })
    return written.kind === 'written' ? done(written.keyName, 'modified', body.warnings) : rejectSave(written)
  },
}

export const replaceNoKey: Operation = {
  id: 'updateUnnamedKey',
  method: 'PUT',
  path: '/svc/keys',
  summary: 'Rejected: the path must name a key',
  body: { schema: sessionShape.schema, description: 'The session' },
  responses: { 400: 'The body cannot be parsed', 404: 'Key is not found' },
  async handle(call) {
    const body = await readSession(call, malformed)
    return body.rejection ?? keyUnknown
  },
}

const instructionShape = object({ policy: text, applyPolicies: list(text) })

export const changePolicies: Operation = {
  id: 'changeKeyPolicies',
  method: 'POST',
  path: '/svc/keys/policy/{name}',
  summary: 'Give a stored key other policies',
  description:
    'The name must be the stored one: the full name, or the hash where keys are hashed. Ids of policies are not checked.',
  body: { schema: instructionShape.schema, description: '`apply_policies`, followed by `policy`' },
  responses: { 200: doneResponse, 400: 'The body cannot be parsed', 404: 'Key not found' },
  async handle(call) {
    const body = await readBody(call, instructionShape, failure(400, "Couldn't decode instruction"))
    if (body.rejection) return body.rejection
    const { policy, applyPolicies } = body.value
    const ids = policy === '' ? (applyPolicies ?? []) : [...(applyPolicies ?? []), policy]
    const written = await call.management.keys.changePolicies(paramOf(call, 'name'), ids)
    return written === undefined ? keyNotFound : done(written.keyName, 'updated')
  },
}

export const deleteKey: Operation = {
  id: 'deleteKey',
  method: 'DELETE',
  path: '/svc/keys/{name}',
  summary: 'Remove a key for all APIs and clear its quotas',
  query: [orgIdQuery, hashedQuery, usernameQuery, { name: 'api_id', description: '`-1`: the response is `null`' }],
  responses: { 200: doneResponse, 400: 'The store did not remove it', 404: 'There is no such key found' },
  async handle(call) {
    const address = { ...addressOf(call, paramOf(call, 'name')), orgId: queryOf(call, 'org_id') }
    const removal = await call.management.keys.remove(address)
    if (removal.kind === 'unknown-key') return noSuchKey
    if (removal.kind === 'failed') return failure(400, 'Failed to remove the key')
    return queryOf(call, 'api_id') === '-1' ? json(null) : done(removal.key.keyName, 'deleted')
  },
}

const noSuchKey = failure(404, 'There is no such key found')

export const deleteNoKey: Operation = {
  id: 'deleteUnnamedKey',
  method: 'DELETE',
  path: '/svc/keys',
  summary: 'Rejected: the path must name a key',
  responses: { 404: 'There is no such key found' },
  handle: () => noSuchKey,
}

const keyUnknown = failure(404, 'Key is not found')

/** Unlike `keys/create`, these calls do not name the policy. */
function rejectSave(rejection: KeyRejection): Reply {
  switch (rejection.kind) {
    case 'unknown-key':
      return keyUnknown
    case 'certificate':
    case 'invalid-session':
      return failure(400, rejection.message)
    case 'no-rights':
    case 'policies':
    case 'certificate-taken':
      return failure(500, 'Failed to create key, ensure security settings are correct.')
  }
}
