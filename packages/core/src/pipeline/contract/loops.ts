/** Rewrites that stay inside the gateway (`svc://<api>/<path>?<controls>`). `shared/parse-loop-target.ts` reads them. */
import type { GatewayResponse } from '../../http/messages.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { LoopTarget } from './loop-target.ts'
import type { RequestContext } from './request-context.ts'

export interface Loops {
  /** Whether an API of this name is served now. */
  knows(api: string): boolean
  /** Runs the chain of the API that the target names on the changed request; `undefined`: it is not served any more. */
  follow(context: RequestContext, target: LoopTarget): Maybe<GatewayResponse> | undefined
}
