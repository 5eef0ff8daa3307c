/** Finds the loaded MCP proxy that a path names. Source: docs/reference/mcp-proxies.md#mcp-endpoints. */
import { type ApiDefinition, isSafeApiId } from '@turnpike/core'
import { apiNotFound, findApi, invalidApiId, isMcpProxy } from '../apis/api-replies.ts'
import { failure, type Reply } from '../http/reply.ts'
import { type Call, paramOf } from '../operation.ts'

export type FoundMcp =
  | { readonly api: ApiDefinition; readonly refusal?: undefined }
  | { readonly api?: undefined; readonly refusal: Reply }

/** The proxy, or the error response. */
export function findMcp(call: Call): FoundMcp {
  const id = paramOf(call, 'id')
  if (!isSafeApiId(id)) return { refusal: invalidApiId }
  const api = findApi(call, id)
  if (api === undefined) return { refusal: apiNotFound }
  return isMcpProxy(api) ? { api } : { refusal: failure(404, 'API is not an MCP Proxy') }
}
