/**
 * An endpoint responds on paths below the listen path of an API, before the stages of the API run. The batch endpoint
 * and the OAuth 2.0 server are endpoints; other packages can add more.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { CompileContext, Stage } from './stage.ts'
import type { RequestSpan } from './tracing.ts'

/**
 * Sends a request through the API of the endpoint, as if a client had sent it. `matched`: length of the listen path in
 * the path of the request. `parent`: the span of the request that contains this one; absent: neither has a span.
 */
export type Dispatch = (request: GatewayRequest, matched: number, parent?: RequestSpan) => Maybe<GatewayResponse>

export interface Endpoint {
  /**
   * Returns the exact paths below the listen path, with a leading slash; an empty list if the API lacks the endpoint.
   * `vendor`: the vendor word in lower case.
   */
  paths(api: ApiDefinition, vendor: string): readonly string[]
  /** A further path, at the root of the gateway; `undefined`: the API has none. Default: none. */
  rootPath?(api: ApiDefinition): string | undefined
  /** If true, the CORS settings of the API apply. Default: false. */
  readonly cors?: boolean
  /**
   * Makes the stage that responds, at the first request. Only the organisation check and, with `cors`, the CORS stage
   * run before it. `compileContext.version` is the first version of the API: paths of endpoints name no version.
   */
  make(compileContext: CompileContext, dispatch: Dispatch): Stage
}
