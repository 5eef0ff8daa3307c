/**
 * Finds the target API of a rewrite to `svc://…` and runs its chain on the changed request
 * (docs/reference/transforms.md#loops).
 */
import { makeApiNames } from '../../definition/api-names.ts'
import type { Loops } from '../contract/loops.ts'
import type { CompiledApi } from './compiled-api.ts'
import { LoopedRequest } from './looped-request.ts'

/** The part of the routing snapshot that loops use. */
export interface LoopSnapshot {
  readonly apis: readonly CompiledApi[]
  readonly apisById: ReadonlyMap<string, CompiledApi>
}

/** `currentSnapshot`: returns a new object after each reload. */
export function makeLoops(currentSnapshot: () => LoopSnapshot | undefined): Loops {
  let indexed: LoopSnapshot | undefined
  let findByName: (name: string) => CompiledApi | undefined = () => undefined
  // The index is built at first use, because most gateways have no loops.
  const find = (name: string) => {
    const now = currentSnapshot()
    if (now !== indexed) {
      indexed = now
      findByName = makeApiNames(now?.apis ?? [], (api) => api.definition)
    }
    return findByName(name)
  }
  return {
    knows: (api) => find(api) !== undefined,
    follow(context, target) {
      const api = target.api === 'self' ? currentSnapshot()?.apisById.get(context.api.id) : find(target.api)
      return api?.handle(new LoopedRequest(context, target), 0, context.trace, context.span)
    },
  }
}
