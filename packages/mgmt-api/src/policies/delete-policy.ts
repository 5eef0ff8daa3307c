/** DELETE /svc/policies/{id}. Source: docs/reference/policies.md#policy-sources. */
import { done, failure } from '../http/reply.ts'
import { doneResponse } from '../keys/key-reply.ts'
import { type Operation, paramOf } from '../operation.ts'
import { changeNote, isAllowedPolicyId, refuseByService } from './policy-replies.ts'

export const deletePolicy: Operation = {
  ...changeNote,
  id: 'deletePolicy',
  method: 'DELETE',
  path: '/svc/policies/{id}',
  summary: 'Remove a policy',
  responses: { 200: doneResponse, 500: 'There is no such file, or it cannot be removed' },
  async handle(call) {
    const closed = refuseByService(call)
    if (closed !== undefined) return closed
    const id = paramOf(call, 'id')
    const { files, log } = call.management
    const removed = isAllowedPolicyId(call, id)
      ? await files.removePolicy(id).catch((error: unknown) => {
          log.error('a policy cannot be removed', { policy: id, reason: String(error) })
          return false
        })
      : false
    return removed ? done(id, 'deleted') : failure(500, 'Delete failed')
  },
}

export const deleteNoPolicy: Operation = {
  ...changeNote,
  id: 'deleteUnnamedPolicy',
  method: 'DELETE',
  path: '/svc/policies',
  summary: 'Refused: the path must name a policy',
  responses: { 400: 'Must specify an apiID to delete' },
  handle: () => failure(400, 'Must specify an apiID to delete'),
}
