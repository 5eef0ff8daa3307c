/**
 * `GET {listen path}.well-known/oauth-protected-resource` of an MCP proxy: where a client learns how to log in, so no
 * key is asked for. Where the upstream cannot be asked, or has no such document, the request goes on as any other.
 * Source: spec/oas-and-mcp.md 2.5.
 */
import { speaksMcp } from '../../definition/mcp/primitive.ts'
import { metadataPath } from '../../definition/mcp/resource-metadata.ts'
import type { MakeStage } from '../contract/stage.ts'
import { makeReadMetadata } from '../shared/mcp-metadata-source.ts'

export const makeMcpMetadata: MakeStage = (compileContext) => {
  if (!speaksMcp(compileContext.api.document)) return null
  const read = makeReadMetadata(compileContext)
  return {
    name: 'mcp-metadata',
    phase: '1-accept',
    run({ request, path }) {
      return request.method === 'GET' && path === metadataPath ? read(request) : undefined
    },
  }
}
