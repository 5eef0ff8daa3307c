/**
 * `GET {listen path}.well-known/oauth-protected-resource` of an MCP proxy: where a client learns how to log in, so no
 * key is asked for. Where the upstream cannot be asked, or has no such document, the request goes on as any other.
 * Source: spec/oas-and-mcp.md 2.5.
 */
import { speaksMcp } from '../../mcp/primitive.ts'
import { metadataPath } from '../../mcp/resource-metadata.ts'
import { makeReadMetadata } from '../mcp-metadata-source.ts'
import type { MakeStage } from '../stage.ts'

export const makeMcpMetadata: MakeStage = (scope) => {
  if (!speaksMcp(scope.api.document)) return null
  const read = makeReadMetadata(scope)
  return {
    name: 'mcp-metadata',
    phase: '1-accept',
    run({ request, path }) {
      return request.method === 'GET' && path === metadataPath ? read(request) : undefined
    },
  }
}
