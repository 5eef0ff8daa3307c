/**
 * Protected resource metadata of an MCP proxy (RFC 9728), which names the authorization server. It comes from the
 * document of the proxy, or from its upstream with the gateway's URL in place of the upstream's.
 * Source: docs/reference/mcp-proxies.md#login-hints.
 */

import { headerOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { isJson, isOn, type Json, memberOf, textOf, textsOf } from '../../lib/json.ts'
import { extensionOf } from '../openapi/extension.ts'

/** The path after a listen path, or before the listen path at the root of the gateway. */
export const metadataPath = '/.well-known/oauth-protected-resource'

/** The path of an API's metadata at the root of the gateway. */
export function rootMetadataPath(listenPath: string): string {
  return metadataPath + withoutTrailingSlash(listenPath)
}

/** Scheme and host as the client sees them; `undefined`: the Host header is missing or unsafe to repeat. */
export function originOf({ headers, secure }: GatewayRequest): string | undefined {
  const host = headerOf(headers, 'host')
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined
  return `${secure ? 'https' : 'http'}://${host}`
}

/** The metadata in the document; `undefined`: the gateway requests it from the upstream. */
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

/** The upstream's metadata with the gateway's URL; `undefined`: the text is not metadata. */
export function mirroredMetadata(text: string, url: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? { ...value, resource: url, authorization_servers: [url] } : undefined
  } catch {
    return undefined
  }
}

/** The path of the upstream's metadata. */
export function upstreamMetadataPath(basePath: string): string {
  return metadataPath + withoutTrailingSlash(basePath)
}

function withoutTrailingSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}
