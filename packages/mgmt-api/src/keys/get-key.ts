/** GET /svc/keys/{name}. Source: docs/reference/key-management.md#read-a-key. */
import { failure } from '../http/reply.ts'
import { type Operation, paramOf } from '../operation.ts'
import { addressOf } from './key-address.ts'
import {
  hashedQuery,
  keyNotFound,
  orgFromQuery,
  orgIdQuery,
  sessionResponse,
  showSession,
  usernameQuery,
} from './key-reply.ts'

export const getKey: Operation = {
  id: 'getKey',
  method: 'GET',
  path: '/svc/keys/{name}',
  tag: 'keys',
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
