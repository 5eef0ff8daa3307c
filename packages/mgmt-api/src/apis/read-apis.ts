/** GET of definitions: loaded ones, one of them, and the versions of an API. Source: docs/reference/api-management.md#classic-endpoints. */
import { classicShape, listVersions, toWireDefinition } from '@turnpike/core/definition'
import { json } from '../http/reply.ts'
import { findApi, type Operation, paramOf, queryOf } from '../operation.ts'
import { apiNotFound, baseHeader, definitionResponse, isMcpProxy } from './api-replies.ts'

export const listApis: Operation = {
  id: 'listApis',
  method: 'GET',
  path: '/svc/apis',
  summary: 'Loaded definitions',
  query: [{ name: 'include_types', description: 'Comma list; with `mcp`, MCP proxies are listed as well' }],
  responses: {
    200: { description: 'Definitions, order open', schema: { type: 'array', items: classicShape.schema } },
  },
  handle(call) {
    const withProxies = queryOf(call, 'include_types').split(',').includes('mcp')
    const shown = call.management.definitions().filter((api) => withProxies || !isMcpProxy(api))
    return json(shown.map(toWireDefinition))
  },
}

export const getApi: Operation = {
  id: 'getApi',
  method: 'GET',
  path: '/svc/apis/{id}',
  summary: 'A loaded definition, with the listen path that it really has',
  responses: { 200: definitionResponse, 404: 'API not found' },
  handle(call) {
    const api = findApi(call, paramOf(call, 'id'))
    if (api === undefined) return apiNotFound
    return json(toWireDefinition(api), 200, baseHeader(call, api.id))
  },
}

export const listApiVersions: Operation = {
  id: 'listApiVersions',
  method: 'GET',
  path: '/svc/apis/{id}/versions',
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
  tag: 'apis',
  id: 'listDocumentVersions',
  path: '/svc/apis/oas/{id}/versions',
  summary: 'The same, for OpenAPI documents',
}
