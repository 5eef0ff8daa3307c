/** GET /svc/apis/{id}/versions. Source: docs/reference/versions.md#creating-a-version. */
import { listVersions } from '@turnpike/core'
import { json } from '../http/reply.ts'
import { type Operation, paramOf, queryOf } from '../operation.ts'
import { apiNotFound, findApi } from './api-replies.ts'

export const listApiVersions: Operation = {
  id: 'listApiVersions',
  method: 'GET',
  path: '/svc/apis/{id}/versions',
  tag: 'apis',
  summary: 'Versions of a base API: itself first, then the others by name',
  query: [
    { name: 'searchText', description: 'Part of the version name, any case' },
    { name: 'accessType', description: '`internal` or `external`' },
  ],
  responses: {
    200: {
      description: 'The versions',
      schema: {
        type: 'object',
        required: ['status', 'apis'],
        properties: { status: { type: 'string' }, apis: { type: 'array', items: { type: 'object' } } },
      },
    },
    404: 'API not found',
  },
  handle(call) {
    const api = findApi(call, paramOf(call, 'id'))
    if (api === undefined) return apiNotFound
    const filter = { searchText: queryOf(call, 'searchText'), accessType: queryOf(call, 'accessType') }
    return json({ status: 'success', apis: listVersions(api, (id) => findApi(call, id), filter) })
  },
}

export const listDocumentVersions: Operation = {
  ...listApiVersions,
  id: 'listDocumentVersions',
  path: '/svc/apis/oas/{id}/versions',
  summary: 'The same, for OpenAPI documents',
}
