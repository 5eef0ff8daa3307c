/**
 * Protected resource metadata (RFC 9728), which names the authorization server. It comes from the document, or for an
 * MCP proxy from its upstream with the gateway's URL in place of the upstream's. Sources:
 * docs/reference/openapi-authentication.md#protected-resource-metadata, docs/reference/mcp-proxies.md#login-hints.
 */

import { headerOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { isJson, isOn, type Json, memberOf, parseJsonObject, textOf, textsOf } from '../../lib/json.ts'
import { extensionOf } from './extension.ts'

/** The path after a listen path, or before the listen path at the root of the gateway. */
export const metadataPath = '/.well-known/oauth-protected-resource'

export interface ResourceMetadata {
  /** Path below the listen path, with a leading slash. */
  readonly path: string
  /** The metadata; `undefined`: the gateway requests them from the upstream. */
  readonly own: OwnMetadata | undefined
}

export interface OwnMetadata {
  /** Can contain variables. */
  readonly resource: string
  readonly servers: readonly string[]
  readonly scopes: readonly string[]
}

/** The metadata of an API; `undefined`: it publishes none. */
export function resourceMetadataOf(
  document: Json | undefined,
  vendor: string,
  isMcp: boolean,
): ResourceMetadata | undefined {
  const extension = document && extensionOf(document, vendor)
  const settings = memberOf(extension, 'server', 'authentication', 'protectedResourceMetadata')
  if (!isJson(settings)) return isMcp ? { path: metadataPath, own: undefined } : undefined
  if (!isOn(settings)) return undefined
  const path = textOf(settings['wellKnownPath']).replace(/^\/+|(?<!\/)\/+$/g, '')
  const own = {
    resource: textOf(settings['resource']),
    servers: textsOf(settings['authorizationServers']),
    scopes: textsOf(settings['scopesSupported']),
  }
  const isMirrored = isMcp && own.resource === '' && own.servers.length === 0
  return { path: path === '' ? metadataPath : `/${path}`, own: isMirrored ? undefined : own }
}

/** The path of metadata at the root of a server, for a listen path of the gateway or the base path of an upstream. */
export function rootMetadataPath(path: string): string {
  return metadataPath + (path.endsWith('/') ? path.slice(0, -1) : path)
}

/** The metadata as RFC 9728, section 2, names its members. Empty lists are left out. */
export function toWireMetadata({ servers, scopes }: OwnMetadata, resource: string): Json {
  return {
    resource,
    ...(servers.length === 0 ? {} : { authorization_servers: servers }),
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
  }
}

/** Scheme and host as the client sees them; `undefined`: the Host header is missing or unsafe to repeat. */
export function originOf({ headers, secure }: GatewayRequest): string | undefined {
  const host = headerOf(headers, 'host')
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined
  const forwarded = headerOf(headers, 'x-forwarded-proto')?.trim().toLowerCase()
  const scheme = forwarded === 'http' || forwarded === 'https' ? forwarded : secure ? 'https' : 'http'
  return `${scheme}://${host}`
}

/** The upstream's metadata with the gateway's URL; `undefined`: the text is not metadata. */
export function mirroredMetadata(text: string, url: string): Json | undefined {
  const metadata = parseJsonObject(text)
  return metadata && { ...metadata, resource: url, authorization_servers: [url] }
}
