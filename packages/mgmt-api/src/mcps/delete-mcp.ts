/** DELETE /svc/mcps/{id}: removes both files of an MCP proxy. Source: docs/reference/mcp-proxies.md#mcp-endpoints. */

import { changeNote } from '../apis/api-replies.ts'
import { removeApi } from '../apis/delete-api.ts'
import { doneResponse } from '../keys/key-reply.ts'
import type { Operation } from '../operation.ts'
import { findMcp } from './find-mcp.ts'

export const deleteMcp: Operation = {
  ...changeNote,
  tag: 'mcps',
  id: 'deleteMcp',
  method: 'DELETE',
  path: '/svc/mcps/{id}',
  summary: 'Remove a loaded MCP proxy: its document and its definition',
  responses: {
    200: doneResponse,
    400: 'The id cannot be one',
    404: 'API not found, or it is no MCP proxy',
    500: 'Its file has another name, or cannot be removed',
  },
  handle(call) {
    const { api, refusal } = findMcp(call)
    return refusal ?? removeApi(call, api)
  },
}
