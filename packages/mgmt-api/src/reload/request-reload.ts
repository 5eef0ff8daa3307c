/** GET /svc/reload and /svc/reload/group: this node or all nodes reload. Source: docs/reference/hot-reload.md#reload-contents. */
import { failure, ok } from '../http/reply.ts'
import { type Operation, queryOf } from '../operation.ts'

export const reloadNode: Operation = {
  id: 'reload',
  method: 'GET',
  path: '/svc/reload',
  summary: 'Reload definitions and policies on this node',
  query: [{ name: 'block', description: '`true`: respond after the reload' }],
  responses: { 200: 'Scheduled, or done' },
  async handle(call) {
    const { reloader, log } = call.management
    if (queryOf(call, 'block') !== 'true') {
      reloader.request()
      return ok()
    }
    try {
      await reloader.reload()
    } catch (error) {
      // The old snapshot stays in service; the response is the same, as in original gateways.
      log.error('a reload failed', { reason: String(error) })
    }
    return ok()
  },
}

export const reloadGroup: Operation = {
  id: 'reloadGroup',
  method: 'GET',
  path: '/svc/reload/group',
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
