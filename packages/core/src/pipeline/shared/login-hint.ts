/**
 * Tells clients of an MCP proxy where to learn how to log in, when their key is missing or refused (RFC 9728, 5.1).
 * Source: spec/oas-and-mcp.md 2.5.
 */

import { metadataPath, originOf } from '../../definition/mcp/resource-metadata.ts'
import type { GatewayResponse } from '../../http/messages.ts'
import type { RequestContext } from '../contract/request-context.ts'

/** Adds `WWW-Authenticate` to the refusal of a key; to none that is the gateway's own trouble. */
export function addLoginHint({ api, request }: RequestContext, answer: GatewayResponse, vendor: string): void {
  const origin = originOf(request)
  if (origin === undefined || answer.status >= 500) return
  const url = `${origin}${api.listenPath}${metadataPath.slice(1)}`
  answer.headers.push('www-authenticate', `Bearer realm="${vendor.toLowerCase()}", resource_metadata="${url}"`)
}
