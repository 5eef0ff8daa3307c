/** Decides whether a response of an MCP server may contain items that the caller may not see. */

import type { RequestContext } from '../contract/request-context.ts'
import type { PrimitiveAccess } from '../mcp/primitive-access.ts'
import { isListMethod } from '../mcp/visible-items.ts'

/** Returns true for lists, and for event streams opened with GET, which may contain lists. */
export function mayListHiddenItems({ mcp, access, request }: RequestContext, open: PrimitiveAccess): boolean {
  if (open.isOpen && access?.mcp === undefined) return false
  return mcp === undefined ? request.method === 'GET' : isListMethod(mcp.method)
}
