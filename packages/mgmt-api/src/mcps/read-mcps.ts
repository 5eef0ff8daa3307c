/** GET /svc/mcps and GET /svc/mcps/{id}: loaded MCP proxies as documents. Source: docs/reference/mcp-proxies.md#mcp-endpoints. */
import { isMcpProxy } from '../apis/api-replies.ts'
import { failure, json } from '../http/reply.ts'
import { documentReply, filledDocument, sorted } from '../oas/show-document.ts'
import type { Operation } from '../operation.ts'
import { findMcp } from './find-mcp.ts'

export const listMcps: Operation = {
  id: 'listMcps',
  method: 'GET',
  path: '/svc/mcps',
  tag: 'mcps',
  summary: 'Loaded MCP proxies, each with its extension',
  responses: {
    200: { description: 'Documents, order open', schema: { type: 'array', items: { type: 'object' } } },
  },
  handle(call) {
    const proxies = call.management.definitions().filter(isMcpProxy)
    return json(sorted(proxies.map((api) => filledDocument(call, api)).filter((document) => document !== undefined)))
  },
}

export const getMcp: Operation = {
  id: 'getMcp',
  method: 'GET',
  path: '/svc/mcps/{id}',
  tag: 'mcps',
  summary: 'A loaded MCP proxy, with the extension that is served',
  responses: {
    200: { description: 'The document with its extension', schema: { type: 'object' } },
    400: 'The id cannot be one',
    404: 'API not found, or it is no MCP proxy',
  },
  handle(call) {
    const { api, refusal } = findMcp(call)
    if (refusal !== undefined) return refusal
    const document = filledDocument(call, api)
    // A hand-written classic definition has no document to return.
    return document === undefined ? failure(404, 'API is not an MCP Proxy') : documentReply(call, document, api.id)
  },
}
