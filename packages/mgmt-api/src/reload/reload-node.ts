/** GET /svc/reload: this node reloads its definitions and policies. Source: docs/reference/hot-reload.md#reload-contents. */
import { ok } from '../http/reply.ts'
import { type Operation, queryOf } from '../operation.ts'

export const reloadNode: Operation = {
  id: 'reload',
  method: 'GET',
  path: '/svc/reload',
  tag: 'reload',
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
