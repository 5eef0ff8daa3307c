/** Attacks are traces that textbook mistakes of limiters do not survive. */
import type { Model, Range, RateLimit } from '../models/model.ts'
import type { Trace } from '../trace/trace-and-history.ts'

export interface AttackContext {
  readonly limit: RateLimit
  /** True if time costs nothing, so that traces may be long. */
  readonly isVirtual?: boolean
  /** The models that calm traffic left. */
  readonly models: readonly Model[]
}

export interface TraceAttack {
  /** Identifier, such as `crowd`. */
  readonly name: string
  /** What the attack does, for people. */
  readonly title: string
  traces(context: AttackContext): readonly Trace[]
}

/** More requests than any bucket or window holds, sent one after the other. */
export function overflowOf({ count, burst }: RateLimit): number {
  const full = Math.max(count, burst ?? 0)
  return full + Math.min(full, 30) + 2
}

/** More requests than two windows hold, sent at once. */
export function crowdOf({ count, burst }: RateLimit): number {
  const full = Math.max(count, burst ?? 0)
  return Math.min(Math.max(40, 2 * full + 2), full + 200)
}

/** Where windows of all clients begin, if a model that is left has them on a grid and calm traffic showed where. */
export function knownEdge({ models }: AttackContext): Range | undefined {
  return models.find(({ edge }) => edge !== undefined)?.edge
}
