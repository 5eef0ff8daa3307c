/** DELETE /svc/apis/{id}: removes `<id>.json`. Source: spec/apis-and-pipeline.md 1, 1.4. */
import { baseOf, isSafeApiId, withoutVersion } from '@turnpike/core'
import { done, failure } from '../http/reply.ts'
import { doneAnswer } from '../keys/key-reply.ts'
import { type Operation, paramOf } from '../operation.ts'
import { apiNotFound, changeNote, findApi } from './api-replies.ts'
import { rewriteBase } from './write-definition.ts'

export const deleteApi: Operation = {
  ...changeNote,
  id: 'deleteApi',
  method: 'DELETE',
  path: '/svc/apis/{id}',
  summary: 'Remove the definition of a loaded API',
  answers: {
    200: doneAnswer,
    404: { description: 'API not found' },
    500: { description: 'Its file has another name, or cannot be removed' },
  },
  async handle(call) {
    const id = paramOf(call, 'id')
    const { files, log, definitions } = call.management
    // A definition from a file may have an id that names no file of its own; such a file is not looked for.
    if (findApi(call, id) === undefined) return apiNotFound
    const removed = isSafeApiId(id)
      ? await files.removeDefinition(id).catch((error: unknown) => {
          log.error('a definition cannot be removed', { api: id, reason: String(error) })
          return false
        })
      : false
    if (!removed) return failure(500, 'Delete failed')
    const base = baseOf(id, definitions())
    const refusal = base && (await rewriteBase(call, base, (versions) => withoutVersion(versions, id)))
    return refusal ?? done(id, 'deleted')
  },
}
