/**
 * `/.well-known/oauth-protected-resource{listen path}` at the root of the gateway: the second path at which clients look
 * for the metadata of an MCP proxy (RFC 9728 section 3.1). It is a route of its own
 * (docs/reference/mcp-proxies.md#login-hints).
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { speaksMcp } from '../../definition/mcp/primitive.ts'
import { rootMetadataPath } from '../../definition/openapi/resource-metadata-document.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { type Rejection, rejections } from '../../http/rejections.ts'
import { when } from '../../lib/maybe.ts'
import { RequestContext } from '../contract/request-context.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { makeReadMetadata } from '../shared/metadata-source.ts'
import { variablesOf } from '../shared/variables-of.ts'
import type { RootRoute } from './root-routes.ts'

/**
 * Returns `undefined` if the API is not an MCP proxy, publishes no metadata, is internal, or has variables in its
 * listen path.
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
