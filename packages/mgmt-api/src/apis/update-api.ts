/** PUT /svc/apis/{id}: rewrites `<id>.json`. Source: docs/reference/api-management.md#update-checks. */
import { classicShape, isSafeApiId, vendorForms } from '@turnpike/core'
import { done, failure } from '../http/reply.ts'
import { warningsOf } from '../http/warnings.ts'
import { doneResponse } from '../keys/key-reply.ts'
import { type Operation, paramOf } from '../operation.ts'
import { apiNotFound, changeNote, findApi, invalidApiId, refuseByDashboard } from './api-replies.ts'
import { readDefinition } from './read-definition.ts'
import { writeDefinition } from './write-definition.ts'

export const updateApi: Operation = {
  ...changeNote,
  id: 'updateApi',
  method: 'PUT',
  path: '/svc/apis/{id}',
  summary: 'Replace the definition of a loaded API',
  body: { schema: classicShape.schema, description: 'The definition; its `api_id` must be that of the path' },
  responses: {
    200: doneResponse,
    400: 'The id or the body is not fit, or the API is an OpenAPI document',
    404: 'API not found',
    500: 'The file cannot be written',
  },
  async handle(call) {
    const id = paramOf(call, 'id')
    const closed = refuseByDashboard(call)
    if (closed !== undefined) return closed
    if (!isSafeApiId(id)) return invalidApiId
    const api = findApi(call, id)
    if (api === undefined) return apiNotFound
    if (api.document.isOas) {
      const { title } = vendorForms(call.management.settings.vendor)
      const message = `this API endpoint only supports ${title} Classic APIs; please use the appropriate ${title} OAS API endpoint`
      return failure(400, message)
    }
    const read = await readDefinition(call, ({ apiId }) => {
      if (apiId === id) return undefined
      const message = 'Request APIID does not match that in Definition! For Update operations these must match.'
      return failure(400, message)
    })
    if (read.refusal) return read.refusal
    return (await writeDefinition(call, read.value)) ?? done(id, 'modified', warningsOf(read.ineffective))
  },
}
