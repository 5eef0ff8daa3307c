/**
 * `GET {listen path}.well-known/oauth-protected-resource` of an MCP proxy: returns the OAuth metadata without requiring
 * a key. If there is none, or the upstream cannot be reached, the request continues like any other
 * (docs/reference/mcp-proxies.md#login-hints).
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
