/** PUT /svc/mcps/{id}: replaces an MCP proxy. Source: docs/reference/mcp-proxies.md#mcp-endpoints, docs/reference/mcp-proxies.md#mcp-document-checks. */

import { changeNote, refuseByDashboard } from '../apis/api-replies.ts'
import { changeResponses } from '../oas/document-notes.ts'
import { overwriteDocument } from '../oas/update-document.ts'
import type { Operation } from '../operation.ts'
import { findMcp } from './find-mcp.ts'
import { readMcpDocument } from './read-mcp-document.ts'

export const updateMcp: Operation = {
  ...changeNote,
  tag: 'mcps',
  id: 'updateMcp',
  method: 'PUT',
  path: '/svc/mcps/{id}',
  summary: 'Replace a loaded MCP proxy',
  body: { schema: { type: 'object' }, description: 'The document; the id in its extension must be that of the path' },
  responses: changeResponses('The body is not fit', 'API not found, or it is no MCP proxy'),
  async handle(call) {
    const closed = refuseByDashboard(call)
    if (closed !== undefined) return closed
    const read = await readMcpDocument(call)
    if (read.refusal) return read.refusal
    const { api, refusal } = findMcp(call)
    return refusal ?? overwriteDocument(call, api.id, read.value, 'mcp')
  },
}
