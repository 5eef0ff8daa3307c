/** GET /svc/reload/group: all nodes reload, this one by its own subscription. Source: docs/reference/hot-reload.md#reload-contents. */
import { failure, ok } from '../http/reply.ts'
import type { Operation } from '../operation.ts'

export const reloadGroup: Operation = {
  id: 'reloadGroup',
  method: 'GET',
  path: '/svc/reload/group',
  tag: 'reload',
  summary: 'All nodes of the group read their definitions and policies anew',
  responses: { 200: { description: 'Published' }, 503: { description: 'Only this node could be told' } },
  async handle(call) {
    const { group, reloader, log } = call.management
    try {
      await group.reload()
      return ok()
    } catch (error) {
      log.error('the group could not be told to reload', { reason: String(error) })
      reloader.request()
      return failure(503, 'The storage is not available: only this node reloads')
    }
  },
}
