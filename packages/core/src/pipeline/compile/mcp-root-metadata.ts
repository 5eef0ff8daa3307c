/**
 * `/.well-known/oauth-protected-resource{listen path}` at the root of the gateway: the other place where clients look
 * for the metadata of an MCP proxy (RFC 9728, 3.1). It is a route of its own that stands beside the proxy's.
 * Source: spec/oas-and-mcp.md 2.5.
 */
import type { ApiDefinition } from '../../definition/api-definition.ts'
import { speaksMcp } from '../../definition/mcp/primitive.ts'
import { rootMetadataPath } from '../../definition/mcp/resource-metadata.ts'
import { type Rejection, rejections } from '../../http/errors.ts'
import type { GatewayRequest, GatewayResponse } from '../../http/messages.ts'
import { type Maybe, when } from '../../lib/maybe.ts'
import type { StageServices } from '../contract/stage-services.ts'
import { makeReadMetadata } from '../shared/mcp-metadata-source.ts'

/** A route beside that of an API. */
export interface RootMetadata {
  readonly listenPath: string
  handle(request: GatewayRequest): Maybe<GatewayResponse>
}

/** `undefined`: the API is no MCP proxy, or listens where no such path can be told. */
export function makeRootMetadata(definition: ApiDefinition, services: StageServices): RootMetadata | undefined {
  const version = definition.versions.values().next().value
  if (!speaksMcp(definition.document) || definition.internal || version === undefined) return undefined
  if (definition.listenPath.includes('{')) return undefined
  const listenPath = rootMetadataPath(definition.listenPath)
  const read = makeReadMetadata({ api: definition, version, services })
  const refuse = (rejection: Rejection, request: GatewayRequest) => services.errors.render(rejection, request)
  return {
    listenPath,
    handle(request) {
      const isOurs = request.path === listenPath || request.path === `${listenPath}/`
      if (!isOurs || request.method !== 'GET') return refuse(rejections.notFound, request)
      return when(read(request), (answer) => answer ?? refuse(rejections.metadataUnavailable, request))
    },
  }
}
