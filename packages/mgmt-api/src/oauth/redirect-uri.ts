/**
 * Validates redirect URIs: equal to a registered URI, or, for clients of other versions, scheme and host of a registered
 * URI and a path that begins with its path.
 * Source: docs/reference/oauth-endpoints.md#authorize-endpoint, RFC 6749 section 3.1.2.
 */
import { encodeField } from '@turnpike/core/lib'
import { hasDotSegments } from '@turnpike/core/route'

interface Uri {
  readonly scheme: string
  readonly host: string
  readonly path: string
}

// Schemes of applications have no host (RFC 8252, section 7.1). User information is rejected, because it can disguise the host.
const uriShape = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#@\\]*))?([^?#\\]*)(?:\?[^#]*)?$/

/** The registered URIs of a client. */
export function registeredUris(registered: string, separator: string): readonly string[] {
  const parts = separator === '' ? [registered] : registered.split(separator)
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** How a requested URI is compared with the registered ones. */
export type RedirectMatch = 'exact' | 'prefix'

/** The comparison for a client. Source: docs/security.md#redirect-uris. */
export function redirectMatchOf(
  client: { readonly exactRedirect: boolean },
  oauth: { readonly redirectPrefix: boolean },
): RedirectMatch {
  return client.exactRedirect && !oauth.redirectPrefix ? 'exact' : 'prefix'
}

/**
 * Returns the redirect URI: the requested one, or the first registered one if the request names none. `undefined` if the
 * requested one matches none of them.
 */
export function chooseRedirect(asked: string, registered: readonly string[], match: RedirectMatch): string | undefined {
  if (asked === '') return registered[0]
  const uri = parseUri(asked)
  if (uri === undefined) return undefined
  if (match === 'exact') return registered.includes(asked) ? asked : undefined
  return registered.some((base) => isBelow(uri, parseUri(base))) ? asked : undefined
}

function isBelow(uri: Uri, base: Uri | undefined): boolean {
  return base !== undefined && uri.scheme === base.scheme && uri.host === base.host && uri.path.startsWith(base.path)
}

function parseUri(text: string): Uri | undefined {
  if (hasControl(text)) return undefined
  const [whole, scheme = '', host = '', path = ''] = uriShape.exec(text) ?? []
  // A path with `..` only appears to begin with the registered path.
  if (whole === undefined || hasDotSegments(path)) return undefined
  return { scheme: scheme.toLowerCase(), host: host.toLowerCase(), path }
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code <= 0x20 || code === 0x7f) return true
  }
  return false
}

/** Adds parameters to the query of a URI. */
export function withQuery(uri: string, parameters: readonly (readonly [string, string])[]): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}${formText(parameters)}`
}

/** Sets parameters as the fragment of a URI. */
export function withFragment(uri: string, parameters: readonly (readonly [string, string])[]): string {
  return `${uri}#${formText(parameters)}`
}

function formText(parameters: readonly (readonly [string, string])[]): string {
  return parameters.map(([name, value]) => `${encodeField(name)}=${encodeField(value)}`).join('&')
}
