/**
 * Metadata of an MCP proxy as a protected resource (RFC 9728): where clients learn who gives out tokens for it. Either
 * as the document of the proxy says, or what its upstream says with the addresses of the gateway.
 * Source: spec/oas-and-mcp.md 2.5.
 */

import { headerOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { isJson, isOn, type Json, memberOf, textOf, textsOf } from '../../lib/json.ts'
import { extensionOf } from '../openapi/extension.ts'

/** Behind a listen path, and before it at the root. */
export const metadataPath = '/.well-known/oauth-protected-resource'

/** Where the metadata of an API stands at the root of the gateway. */
export function rootMetadataPath(listenPath: string): string {
  return metadataPath + withoutLastSlash(listenPath)
}

/** Scheme and host as the client sees them; `undefined`: it named no host that can be repeated. */
export function originOf({ headers, secure }: GatewayRequest): string | undefined {
  const host = headerOf(headers, 'host')
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined
  return `${secure ? 'https' : 'http'}://${host}`
}

/** What the document itself says; `undefined`: the upstream is asked. */
export function ownMetadata(document: Json | undefined, vendor: string): Json | undefined {
  if (document === undefined) return undefined
  const metadata = memberOf(extensionOf(document, vendor), 'server', 'authentication', 'protectedResourceMetadata')
  if (!isJson(metadata) || !isOn(metadata)) return undefined
  const resource = textOf(metadata['resource'])
  const servers = textsOf(metadata['authorizationServers'])
  if (resource === '' && servers.length === 0) return undefined
  const scopes = textsOf(metadata['scopesSupported'])
  return {
    resource,
    authorization_servers: servers,
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
  }
}

/** The upstream's answer with the gateway's address `url`; `undefined`: it is no metadata. */
export function mirroredMetadata(text: string, url: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? { ...value, resource: url, authorization_servers: [url] } : undefined
  } catch {
    return undefined
  }
}

/** Where the upstream's own metadata stand, for its path. */
export function upstreamMetadataPath(basePath: string): string {
  return metadataPath + withoutLastSlash(basePath)
}

function withoutLastSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}
