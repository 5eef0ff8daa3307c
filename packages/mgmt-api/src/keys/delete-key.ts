/** DELETE /svc/keys/{name}. Source: docs/reference/key-management.md#delete-a-key. */
import { done, failure, json } from '../http/reply.ts'
import { type Operation, paramOf, queryOf } from '../operation.ts'
import { addressOf } from './key-address.ts'
import { doneResponse, hashedQuery, orgIdQuery, usernameQuery } from './key-reply.ts'

export const deleteKey: Operation = {
  id: 'deleteKey',
  method: 'DELETE',
  path: '/svc/keys/{name}',
  tag: 'keys',
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
  tag: 'keys',
  summary: 'Rejected: the path must name a key',
  responses: { 404: 'There is no such key found' },
  handle: () => noSuchKey,
}
