/**
 * Gets the target of the request from a discovery service, except for rewrites to a whole URL
 * (docs/reference/service-discovery.md#discovered-targets).
 */
import type { Rejection } from '../../http/rejections.ts'
import { when } from '../../lib/maybe.ts'
import type { RequestContext } from '../contract/request-context.ts'
import type { MakeStage } from '../contract/stage.ts'
import type { Target } from '../contract/target.ts'
import { makeDiscoveredPicker } from '../shared/pick-target.ts'

export const makeDiscoverTarget: MakeStage = (compileContext) => {
  const pick = makeDiscoveredPicker(compileContext)
  if (pick === undefined) return null
  const { queryEndpoint } = compileContext.api.document.proxy.serviceDiscovery
  return {
    run(context) {
      if (context.outgoing.target !== undefined) return undefined
      if (context.trace?.dry) {
        context.trace.note(`would query ${queryEndpoint} for the target`)
        return undefined
      }
      return when(pick(), (found) => use(found, context))
    },
  }
}

function use(found: Target | Rejection, context: RequestContext): Rejection | undefined {
  if ('kind' in found) {
    context.settleBreaker?.('unknown')
    return found
  }
  context.target = found
  context.trace?.note(`found ${found.host}`)
  return undefined
}
