/**
 * Which tools, resources and prompts a proxy offers: what is blocked is closed, and one that is allowed closes all
 * others of its kind. Source: spec/oas-and-mcp.md 2.3.
 */
import type { PathRules } from '../definition/api-definition.ts'
import { type Primitive, type PrimitiveKind, primitiveOfPath } from './primitive.ts'
import { compilePrimitiveRules, type NameMatching } from './primitive-rules.ts'

/** `closed`: others of its kind are allowed, this one is not. */
export type Verdict = 'open' | 'blocked' | 'closed'

export interface PrimitiveAccess {
  /** Nothing is blocked or closed. */
  readonly isOpen: boolean
  of(primitive: Primitive): Verdict
}

export function makePrimitiveAccess(
  { blackList, whiteList }: Pick<PathRules, 'blackList' | 'whiteList'>,
  matching: NameMatching,
): PrimitiveAccess {
  const blocked = compilePrimitiveRules(blackList, matching, () => true)
  const allowed = compilePrimitiveRules(whiteList, matching, () => true)
  const closedKinds = new Set<PrimitiveKind>()
  for (const { path } of whiteList) {
    const primitive = primitiveOfPath(path)
    if (primitive !== undefined) closedKinds.add(primitive.kind)
  }
  return {
    isOpen: blocked === null && closedKinds.size === 0,
    of(primitive) {
      if (blocked?.(primitive)) return 'blocked'
      return closedKinds.has(primitive.kind) && !allowed?.(primitive) ? 'closed' : 'open'
    },
  }
}
