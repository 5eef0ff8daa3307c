/** DELETE /svc/cache/{id}: empties the response cache of an API, on all nodes. Source: docs/reference/api-management.md#classic-endpoints, docs/reference/transforms.md#response-chain. */
import { failure, ok } from '../http/reply.ts'
import { type Operation, paramOf } from '../operation.ts'

export const invalidateCache: Operation = {
  id: 'invalidateCache',
  method: 'DELETE',
  path: '/svc/cache/{id}',
  tag: 'cache',
  summary: 'Empty the response cache of an API; unknown ids are fine',
  responses: { 200: 'cache invalidated', 500: 'Cache invalidation failed' },
  async handle(call) {
    const { invalidateCache: invalidate, signals, log } = call.management
    const apiId = paramOf(call, 'id')
    try {
      // This node first: after the response it serves nothing old, even if signals to others are slow.
      await invalidate?.(apiId)
      await signals.publish({ kind: 'cache-invalidated', apiId })
      return ok('cache invalidated')
    } catch (error) {
      log.error('a cache could not be invalidated', { api: apiId, reason: String(error) })
      return failure(500, 'Cache invalidation failed')
    }
  },
}
