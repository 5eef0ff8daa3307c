/**
 * Follows rewrites that stay inside the gateway: finds the API and runs its chain on the changed request.
 * Source: spec/apis-and-pipeline.md 4.5.
 */
import { makeApiNames } from '../../definition/api-names.ts'
import type { Loops } from '../contract/loops.ts'
import type { CompiledApi } from './compiled-api.ts'
import { LoopedRequest } from './looped-request.ts'

/** What is served at a moment, as far as loops look at it. */
export interface LoopSnapshot {
  readonly apis: readonly CompiledApi[]
  readonly byId: ReadonlyMap<string, CompiledApi>
}

/** `table`: what is served now; a new object after each reload. */
export function makeLoops(table: () => LoopSnapshot | undefined): Loops {
  let indexed: LoopSnapshot | undefined
  let findByName: (name: string) => CompiledApi | undefined = () => undefined
  // The index is made when it is asked for: most gateways have no loops.
  const find = (name: string) => {
    const now = table()
    if (now !== indexed) {
      indexed = now
      findByName = makeApiNames(now?.apis ?? [], (api) => api.definition)
    }
    return findByName(name)
  }
  return {
    knows: (api) => find(api) !== undefined,
    follow(context, target) {
      const api = target.api === 'self' ? table()?.byId.get(context.api.id) : find(target.api)
      return api?.handle(new LoopedRequest(context, target), 0, context.trace)
    },
  }
}
