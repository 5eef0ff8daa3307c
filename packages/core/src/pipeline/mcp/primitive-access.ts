/**
 * Which methods, tools, resources and prompts a proxy offers (docs/reference/mcp-proxies.md#allow-and-block). A blocked
 * primitive is not offered, and an allowed one closes all others of its kind. For resources the longest matching name
 * decides: a folder may be allowed inside a blocked one, and the other way round. A blocked method is rejected, and an
 * allowed operation closes all methods that are not allowed, also lists and `ping`
 * (docs/reference/mcp-proxies.md#method-rules).
 */
import type { PathRules } from '../../definition/api-definition.ts'
import { compileMethodRules } from '../../definition/mcp/method-rules.ts'
import { type Primitive, type PrimitiveKind, primitiveOfPath } from '../../definition/mcp/primitive.ts'
import { compilePrimitiveRules, type NameMatching } from '../../definition/mcp/primitive-rules.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import type { RequestContext } from '../contract/request-context.ts'
import { isListMethod } from './visible-items.ts'

/** `closed`: only other primitives of its kind are on the allow list. */
type Verdict = 'open' | 'blocked' | 'closed'

export interface PrimitiveAccess {
  /** True if no primitive is blocked or closed. */
  readonly isOpen: boolean
  of(primitive: Primitive): Verdict
}

export function makePrimitiveAccess(
  { blackList, whiteList }: Pick<PathRules, 'blackList' | 'whiteList'>,
  matching: NameMatching,
): PrimitiveAccess {
  const length = ({ path }: { readonly path: string }) => path.length
  const blocked = compilePrimitiveRules(blackList, matching, length)
  const allowed = compilePrimitiveRules(whiteList, matching, length)
  const closedKinds = new Set<PrimitiveKind>()
  for (const { path } of whiteList) {
    const primitive = primitiveOfPath(path)
    if (primitive !== undefined) closedKinds.add(primitive.kind)
  }
  return {
    isOpen: blocked === null && closedKinds.size === 0,
    of(primitive) {
      const block = blocked?.(primitive)
      const allow = allowed?.(primitive)
      const isWithin = primitive.kind === 'resource' && (allow ?? 0) > (block ?? 0)
      if (block !== undefined && !isWithin) return 'blocked'
      return closedKinds.has(primitive.kind) && allow === undefined ? 'closed' : 'open'
    },
  }
}

/** Returns why a method is rejected; `undefined`: it is open. */
type MethodAccess = (method: string) => Rejection | undefined

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

/** Returns true for lists, and for event streams opened with GET, which may contain lists. */
export function mayListHiddenItems({ mcp, access, request }: RequestContext, open: PrimitiveAccess): boolean {
  if (open.isOpen && access?.mcp === undefined) return false
  return mcp === undefined ? request.method === 'GET' : isListMethod(mcp.method)
}
