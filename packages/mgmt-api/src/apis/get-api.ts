/** GET /svc/apis/{id}: a loaded definition. Source: docs/reference/api-management.md#classic-endpoints, docs/reference/api-management.md#definition-files. */
import { baseOf, toWireDefinition, vendorForms } from '@turnpike/core'
import { json } from '../http/reply.ts'
import { type Operation, paramOf } from '../operation.ts'
import { apiNotFound, definitionResponse, findApi } from './api-replies.ts'

export const getApi: Operation = {
  id: 'getApi',
  method: 'GET',
  path: '/svc/apis/{id}',
  tag: 'apis',
  summary: 'A loaded definition, with the listen path that it really has',
  responses: { 200: definitionResponse, 404: 'API not found' },
  handle(call) {
    const api = findApi(call, paramOf(call, 'id'))
    if (api === undefined) return apiNotFound
    const { management } = call
    const base = baseOf(api.id, management.definitions())
    const header = `x-${vendorForms(management.settings.vendor).lower}-base-api-id`
    return json(toWireDefinition(api), 200, base === undefined ? {} : { [header]: base.id })
  },
}
