/** POST /svc/workers/restart, specific to Turnpike: new processes for a gateway with several workers. */
import { ok } from '../http/reply.ts'
import type { Operation } from '../operation.ts'

export const restartWorkers: Operation = {
  id: 'restartWorkers',
  method: 'POST',
  path: '/svc/workers/restart',
  summary: 'Replace all workers of this gateway, one after the other',
  description:
    'Each worker ends when its successor serves and its open requests have finished. The call responds before that. Without several workers, the operation does not exist.',
  responses: { 200: 'The restart has begun', 404: 'The gateway is one process' },
  enabled: ({ workers }) => workers !== undefined,
  async handle({ management: { workers } }) {
    await workers?.restart()
    return ok()
  },
}
