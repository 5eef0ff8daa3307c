/** GET /svc/keys. Source: docs/reference/key-management.md#list-keys. */
import { hashWarning } from '../http/hash-warning.ts'
import { failure, json } from '../http/reply.ts'
import { type Operation, queryOf } from '../operation.ts'
import { keyListSchema } from './key-list.ts'

export const listKeys: Operation = {
  id: 'listKeys',
  method: 'GET',
  path: '/svc/keys',
  tag: 'keys',
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
