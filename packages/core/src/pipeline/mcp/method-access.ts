/**
 * Which JSON-RPC methods a proxy offers: a blocked method is rejected, and an allowed operation closes all methods that
 * are not allowed, also lists and `ping` (docs/reference/mcp-proxies.md#method-rules).
 */
import type { PathRules } from '../../definition/api-definition.ts'
import { compileMethodRules } from '../../definition/mcp/method-rules.ts'
import { primitiveOfPath } from '../../definition/mcp/primitive.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'

/** Returns why a method is rejected; `undefined`: it is open. */
export type MethodAccess = (method: string) => Rejection | undefined

/** `undefined`: all methods are open. */
export function makeMethodAccess({
  blackList,
  whiteList,
}: Pick<PathRules, 'blackList' | 'whiteList'>): MethodAccess | undefined {
  const blocked = compileMethodRules(blackList, () => true)
  const allowed = compileMethodRules(whiteList, () => true)
  const isClosed = whiteList.some(({ path }) => primitiveOfPath(path) === undefined)
  if (blocked === null && !isClosed) return undefined
  return (method) => {
    if (blocked?.(method)) return rejections.pathForbidden
    return isClosed && !allowed?.(method) ? rejections.methodForbidden : undefined
  }
}
