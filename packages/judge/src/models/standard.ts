/**
 * What a limiter is judged by. Bounds decide, kinds describe: a gateway broke its limit only if no kind that is left
 * explains a history and the history is beyond the bounds that hold for every limiter. Limiters of kinds that judge does
 * not know are judged by the bounds alone.
 */
import type { History, Statement } from '../trace/trace-and-history.ts'
import { upperBounds } from './bound-models.ts'
import { candidateModels } from './candidate-models.ts'
import { describeContradiction, explainByModels } from './find-contradiction.ts'
import { lowerBounds } from './lower-bounds.ts'
import type { Kind, Model, RateLimit } from './model.ts'

export interface Standard {
  /** Kinds of limiters that fit; none if the kind is not recognised. */
  readonly kinds: readonly Model[]
  /** The most that a limiter of each limit admits; it keeps at least one bound of each list. */
  readonly upper: readonly (readonly Model[])[]
  /** The least that it admits. */
  readonly lower: Model
  /** True after calm traffic. Before, a kind that fits by chance would have bounds that are too narrow. */
  readonly isComplete?: boolean
}

/** The standard before any request was sent. Kinds of several limits at once are not recognised. */
export function firstStandard(limits: readonly RateLimit[], kind: Kind | 'auto'): Standard {
  const [only] = limits
  return {
    kinds: limits.length === 1 && only !== undefined ? candidateModels(only, kind) : [],
    upper: limits.map((limit) => upperBounds(limit, kind)),
    lower: lowerBounds(limits),
  }
}

/** Returns what is wrong with a history in words, and `undefined` if the limiter may have decided so. */
export function findContradiction(standard: Standard, history: History): Statement | undefined {
  const { kinds } = standard
  const byKinds = explainByModels(kinds, history.groups)
  if (kinds.length > 0 && byKinds.contradiction === undefined) return undefined
  for (const list of boundsOf(standard)) {
    const byBounds = explainByModels(list, history.groups)
    if (byBounds.contradiction === undefined) continue
    const { contradiction, model } = byBounds
    // A kind says more than a bound, if it objects to the same request.
    const isSame =
      byKinds.contradiction?.direction === contradiction.direction && byKinds.contradiction.group <= contradiction.group
    const closest = isSame && byKinds.contradiction !== undefined ? byKinds : { contradiction, model }
    const isOnly = kinds.length === 1 || closest.model === model
    const limiter = isOnly ? `a ${closest.model.name}` : `even the closest kind of limiter, a ${closest.model.name},`
    return describeContradiction(closest.contradiction, limiter, history)
  }
  return undefined
}

/** The bounds of a known kind are narrower: those of its own windows, or of its own room. */
function boundsOf({ kinds, upper, lower, isComplete }: Standard): readonly (readonly Model[])[] {
  return kinds.length === 0 || isComplete !== true
    ? [...upper, [lower]]
    : [kinds.flatMap((kind) => kind.upper?.() ?? []), [lower]]
}

/** Returns what the kinds that are left object to, even if the history is within the bounds. */
export function findOddity({ kinds }: Standard, history: History): Statement | undefined {
  if (kinds.length === 0) return undefined
  const { contradiction, model } = { model: undefined, ...explainByModels(kinds, history.groups) }
  if (contradiction === undefined || model === undefined) return undefined
  return describeContradiction(contradiction, `a ${model.name}`, history)
}

/** The standard with what the history of calm traffic shows. Kinds that contradict it are dropped. */
export function learn({ kinds, upper, lower }: Standard, history: History): Standard {
  const known = (models: readonly Model[]) => {
    const verdict = explainByModels(models, history.groups)
    return verdict.contradiction === undefined ? verdict.models : undefined
  }
  return {
    kinds: known(kinds) ?? [],
    upper: upper.map((list) => known(list) ?? list),
    lower: known([lower])?.[0] ?? lower,
  }
}
