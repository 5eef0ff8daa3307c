/**
 * `WWW-Authenticate` with the URL of the OAuth metadata, for clients of an MCP proxy whose key is missing or rejected
 * (RFC 9728 section 5.1, docs/reference/mcp-proxies.md#login-hints).
 */

import { metadataPath, originOf } from '../../definition/mcp/resource-metadata.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import type { RequestContext } from '../contract/request-context.ts'

/** Adds the header to the rejection of a key, but not to errors of the gateway (5xx). */
export function addLoginHint({ api, request }: RequestContext, response: GatewayResponse, vendor: string): void {
  const origin = originOf(request)
  if (origin === undefined || response.status >= 500) return
  const url = `${origin}${api.listenPath}${metadataPath.slice(1)}`
  response.headers.push('www-authenticate', `Bearer realm="${vendor.toLowerCase()}", resource_metadata="${url}"`)
}
