/** GET of keys, and the preview of a session. Source: docs/reference/key-management.md#read-a-key, docs/reference/key-management.md#list-keys. */
import type { JsonSchema } from '@turnpike/core/lib'
import { sessionShape } from '@turnpike/core/ports'
import { readBody } from '../calls/read-body.ts'
import { hashWarning } from '../http/hash-warning.ts'
import { failure, json } from '../http/reply.ts'
import { type Operation, paramOf, queryOf } from '../operation.ts'
import {
  addressOf,
  hashedQuery,
  keyNotFound,
  orgFromQuery,
  orgIdQuery,
  sessionResponse,
  showSession,
  usernameQuery,
} from './key-reply.ts'

export const keyListSchema: JsonSchema = {
  type: 'object',
  required: ['keys'],
  properties: { keys: { type: 'array', items: { type: 'string' } } },
}

export const getKey: Operation = {
  id: 'getKey',
  method: 'GET',
  path: '/svc/keys/{name}',
  summary: 'The session of a key, with its policies applied and what is left of its quotas',
  query: [
    orgIdQuery,
    { name: 'api_id', description: 'Looks up the key in the organisation of this API' },
    hashedQuery,
    usernameQuery,
  ],
  responses: { 200: sessionResponse, 400: 'Requested by hash, but keys are not hashed', 404: 'Key not found' },
  async handle(call) {
    const address = { ...addressOf(call, paramOf(call, 'name')), orgId: orgFromQuery(call) }
    if (address.stored && !call.management.settings.keys.hashKeys) {
      return failure(400, 'Key requested by hash but key hashing is not enabled')
    }
    const session = await call.management.keys.read(address)
    return session === undefined ? keyNotFound : showSession(session)
  },
}

export const listKeys: Operation = {
  id: 'listKeys',
  method: 'GET',
  path: '/svc/keys',
  summary: 'Names of keys, or their hashes where keys are hashed',
  query: [
    { name: 'filter', description: 'What names begin with; without effect on hashes' },
    { name: 'api_id', description: 'Only keys that open this API; needs `filter` where keys are not hashed' },
  ],
  responses: {
    200: { description: 'The list, sorted', schema: keyListSchema },
    400: '`api_id` without `filter`',
    404: 'Keys are hashed, and listing of hashes is off',
  },
  async handle(call) {
    const { keys, settings, options } = call.management
    const { hashKeys } = settings.keys
    if (hashKeys && !options.hashedKeysListing) {
      return failure(404, 'Hashed key listing is disabled in config (enable_hashed_keys_listing)')
    }
    const prefix = queryOf(call, 'filter')
    const apiId = queryOf(call, 'api_id')
    if (apiId !== '' && prefix === '' && !hashKeys) {
      return failure(400, "The 'filter' parameter (Org ID) is required when filtering by 'api_id' in legacy mode")
    }
    const names = await keys.list(apiId === '' ? { prefix } : { prefix, apiId })
    return json({ keys: names }, 200, hashWarning(hashKeys, names))
  },
}

export const previewKey: Operation = {
  id: 'previewKey',
  method: 'POST',
  path: '/svc/keys/preview',
  summary: 'What its policies make of a session; stores nothing',
  body: { schema: sessionShape.schema, description: 'The session' },
  responses: { 200: sessionResponse, 500: 'The body cannot be parsed' },
  async handle(call) {
    const body = await readBody(call, sessionShape, failure(500, 'Unmarshalling failed'))
    return body.rejection ?? showSession(call.management.keys.preview(body.value))
  },
}
