/**
 * Rewrites to an API of the same gateway (`svc://<api>/<path>?<controls>`). `shared/parse-loop-target.ts` parses them.
 */
import type { GatewayResponse } from '../../http/messages.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { LoopTarget } from './loop-target.ts'
import type { RequestContext } from './request-context.ts'

export interface Loops {
  /** Returns true if an API of this name is served now. */
  knows(api: string): boolean
  /** Runs the chain of the target API on the changed request; `undefined` if the API is no longer served. */
  follow(context: RequestContext, target: LoopTarget): Maybe<GatewayResponse> | undefined
}
