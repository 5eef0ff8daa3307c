/** Whether an answer of an MCP server may hold something that the caller is not to see. */

import type { RequestContext } from '../contract/request-context.ts'
import type { PrimitiveAccess } from '../mcp/primitive-access.ts'
import { isListMethod } from '../mcp/visible-items.ts'

/** True for lists, and for streams that a client opens or takes up again, which may bring lists. */
export function mayListHiddenItems({ mcp, access, request }: RequestContext, open: PrimitiveAccess): boolean {
  if (open.isOpen && access?.mcp === undefined) return false
  return mcp === undefined ? request.method === 'GET' : isListMethod(mcp.method)
}
