/** GET /svc/apis: loaded definitions. Source: docs/reference/api-management.md#classic-endpoints. */
import { classicShape, toWireDefinition } from '@turnpike/core'
import { json } from '../http/reply.ts'
import { type Operation, queryOf } from '../operation.ts'
import { isMcpProxy } from './api-replies.ts'

export const listApis: Operation = {
  id: 'listApis',
  method: 'GET',
  path: '/svc/apis',
  tag: 'apis',
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
