/**
 * `GET {listen path}.well-known/oauth-protected-resource` returns the OAuth metadata of the API without requiring a key.
 * If the upstream of an MCP proxy is to provide them and cannot be reached, the request continues like any other
 * (docs/reference/openapi-authentication.md#protected-resource-metadata).
 */
import type { MakeStage } from '../contract/stage.ts'
import { makeReadMetadata } from '../shared/metadata-source.ts'
import { variablesOf } from '../shared/variable-values.ts'

export const makeResourceMetadata: MakeStage = (compileContext) => {
  const source = makeReadMetadata(compileContext)
  if (source === undefined) return null
  return {
    run(context) {
      const { request, path } = context
      if (request.method !== 'GET' || path !== source.path) return undefined
      return source.read(request, () => variablesOf(context, compileContext))
    },
  }
}
