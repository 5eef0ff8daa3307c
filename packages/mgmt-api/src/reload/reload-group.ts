/** GET /svc/reload/group: all nodes reload, this one by its own subscription. Source: docs/reference/hot-reload.md#reload-contents. */
import { failure, ok } from '../http/reply.ts'
import type { Operation } from '../operation.ts'

export const reloadGroup: Operation = {
  id: 'reloadGroup',
  method: 'GET',
  path: '/svc/reload/group',
  tag: 'reload',
  summary: 'Reload definitions and policies on all nodes of the group',
  responses: { 200: 'Published', 503: 'Only this node was notified' },
  async handle(call) {
    const { group, reloader, log } = call.management
    try {
      await group.reload()
      return ok()
    } catch (error) {
      log.error('the reload could not be sent to the group', { reason: String(error) })
      reloader.request()
      return failure(503, 'The storage is not available: only this node reloads')
    }
  },
}
