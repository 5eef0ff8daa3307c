/** Routes of an API at the root of the gateway, outside its listen path: places that a standard prescribes. */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { speaksMcp } from '../../definition/mcp/primitive.ts'
import { rootMetadataPath } from '../../definition/openapi/resource-metadata-document.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { RequestContext } from '../contract/request-context.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { makeReadMetadata } from '../shared/metadata-source.ts'
import { variablesOf } from '../shared/variable-values.ts'

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

/**
 * `/.well-known/oauth-protected-resource{listen path}`: the second path at which clients look for the metadata of an MCP
 * proxy (RFC 9728 section 3.1, docs/reference/mcp-proxies.md#login-hints). Returns `undefined` if the API is not
 * an MCP proxy, publishes no metadata, is internal, or has variables in its listen path.
 */
export function makeRootMetadata(definition: ApiDefinition, services: StageServices): RootRoute | undefined {
  const version = definition.versions.values().next().value
  if (!speaksMcp(definition.document) || definition.internal || version === undefined) return undefined
  if (definition.listenPath.includes('{')) return undefined
  const listenPath = rootMetadataPath(definition.listenPath)
  const compileContext = { api: definition, version, services }
  const source = makeReadMetadata(compileContext)
  if (source === undefined) return undefined
  const reject = (rejection: Rejection, request: GatewayRequest) => services.errors.render(rejection, request)
  return {
    listenPath,
    handle(request) {
      const isOurs = request.path === listenPath || request.path === `${listenPath}/`
      if (!isOurs || request.method !== 'GET') return reject(rejections.notFound, request)
      const variables = () => {
        const now = services.clock.now()
        return variablesOf(
          new RequestContext(request, definition, version, '/', '/', '/', now, undefined),
          compileContext,
        )
      }
      const found = source.read(request, variables)
      return when(found, (response) => response ?? reject(rejections.metadataUnavailable, request))
    },
  }
}
