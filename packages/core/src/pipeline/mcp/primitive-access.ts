/**
 * Which tools, resources and prompts a proxy offers. A blocked primitive is not offered, and an allowed one closes all
 * others of its kind. For resources the longest matching name decides: a folder may be allowed inside a blocked one, and
 * the other way round (docs/reference/mcp-proxies.md#allow-and-block).
 */
import type { PathRules } from '../../definition/api-definition.ts'
import { type Primitive, type PrimitiveKind, primitiveOfPath } from '../../definition/mcp/primitive.ts'
import { compilePrimitiveRules, type NameMatching } from '../../definition/mcp/primitive-rules.ts'

/** `closed`: only other primitives of its kind are on the allow list. */
export type Verdict = 'open' | 'blocked' | 'closed'

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
