/** PUT /svc/mcps/{id}: replaces an MCP proxy. Source: spec/oas-and-mcp.md 2, 2.1. */
import { changeNote, refuseByDashboard } from '../apis/api-replies.ts'
import { doneAnswer } from '../keys/key-reply.ts'
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
  answers: {
    200: doneAnswer,
    400: { description: 'The body is not fit' },
    404: { description: 'API not found, or it is no MCP proxy' },
    500: { description: 'A file cannot be written' },
  },
  async handle(call) {
    const closed = refuseByDashboard(call)
    if (closed !== undefined) return closed
    const read = await readMcpDocument(call)
    if (read.refusal) return read.refusal
    const { api, refusal } = findMcp(call)
    return refusal ?? overwriteDocument(call, api.id, read.value, 'mcp')
  },
}
