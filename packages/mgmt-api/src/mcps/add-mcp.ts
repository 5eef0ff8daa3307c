/** POST /svc/mcps: writes an MCP proxy's document and its classic form. Source: docs/reference/mcp-proxies.md#mcp-endpoints, docs/reference/mcp-proxies.md#mcp-document-checks. */

import { changeNote, refuseByDashboard } from '../apis/api-replies.ts'
import { createDocument } from '../oas/create-document.ts'
import { createResponses, versionQuery } from '../oas/document-notes.ts'
import type { Operation } from '../operation.ts'
import { readMcpDocument } from './read-mcp-document.ts'

export const addMcp: Operation = {
  ...changeNote,
  tag: 'mcps',
  id: 'addMcp',
  method: 'POST',
  path: '/svc/mcps',
  summary: 'Write an MCP proxy; one with the same id is replaced',
  query: versionQuery,
  body: { schema: { type: 'object' }, description: 'OpenAPI 3.0 or 3.1 with the extension, JSON' },
  responses: createResponses('The body is no such document, or its extension is not valid'),
  async handle(call) {
    const closed = refuseByDashboard(call)
    if (closed !== undefined) return closed
    const read = await readMcpDocument(call)
    return read.refusal ?? createDocument(call, read.value, 'mcp')
  },
}
