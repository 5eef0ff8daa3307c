/** Routes of an API at the root of the gateway, outside its listen path: places that a standard prescribes. */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import { rejections } from '../../http/rejections.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { StageServices } from '../contract/stage-services.ts'

export interface RootRoute {
  readonly listenPath: string
  handle(request: GatewayRequest): Maybe<GatewayResponse>
}

/** The routes of attached endpoints. They respond at exactly their path, with or without a slash at its end. */
export function makeEndpointRoutes(
  api: ApiDefinition,
  { errors }: StageServices,
  attached: readonly Endpoint[],
  respond: (endpoint: Endpoint, request: GatewayRequest) => Maybe<GatewayResponse>,
): readonly RootRoute[] {
  if (api.internal || api.versions.size === 0 || api.listenPath.includes('{')) return []
  return attached.flatMap((endpoint) => {
    const listenPath = endpoint.rootPath?.(api)
    if (listenPath === undefined) return []
    const handle: RootRoute['handle'] = (request) =>
      request.path === listenPath || request.path === `${listenPath}/`
        ? respond(endpoint, request)
        : errors.render(rejections.notFound, request)
    return [{ listenPath, handle }]
  })
}
