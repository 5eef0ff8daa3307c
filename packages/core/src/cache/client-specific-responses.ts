/**
 * What a cache that all clients of a keyless API share must not store or serve, and which headers select a response
 * although the definition does not name them. Source: docs/reference/response-cache.md#responses-to-one-client.
 */
import { type HeaderPairs, headerOf } from '../http/headers.ts'
import type { GatewayRequest } from '../http/messages.ts'
import { readCacheControl } from './rfc9111/cache-control.ts'

/** Whether the response can depend on who sent the request. */
export function isRequestOfOneClient({ headers, clientCertificate }: GatewayRequest): boolean {
  if (clientCertificate !== undefined) return true
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]
    if (name === 'cookie' || name === 'authorization') return true
  }
  return false
}

/** Whether the response is for one client only: it sets a cookie, or forbids shared caches to store it. */
export function isResponseForOneClient(headers: HeaderPairs): boolean {
  if (headerOf(headers, 'set-cookie') !== undefined) return true
  if (headerOf(headers, 'cache-control') === undefined) return false
  const control = readCacheControl(headers)
  return control.noStore || control.isPrivate
}

/**
 * Request headers from which many servers build links, redirects or the target. A client could use them to put its own
 * version of a response into the cache.
 */
const routingHeaders: ReadonlySet<string> = new Set([
  'forwarded',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-forwarded-proto',
  'x-forwarded-scheme',
  'x-forwarded-server',
  'x-host',
  'x-http-method-override',
  'x-method-override',
  'x-original-host',
  'x-original-url',
  'x-rewrite-url',
])

const obeyedPrefixes: readonly string[] = ['x-forwarded-', 'x-http-method', 'x-original-', 'x-rewrite-']

/**
 * Whether the request has a header that an upstream may obey and that is not in the cache key. `inKey`: names in lower case
 * of the headers of `cache_by_headers`. `X-Forwarded-For` counts through the client's address, which is in the key.
 */
export function hasUnkeyedRouting(headers: HeaderPairs, inKey: ReadonlySet<string>): boolean {
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    if (!name.startsWith('x-') || routingHeaders.has(name) || name === 'x-forwarded-for' || inKey.has(name)) continue
    if (obeyedPrefixes.some((prefix) => name.startsWith(prefix))) return true
  }
  return false
}

/**
 * Lines of the cache key for routing headers of the request; empty for most requests. `withHost`: the upstream gets the
 * Host header.
 */
export function routingLines(headers: HeaderPairs, withHost: boolean): string {
  let lines = ''
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    if (routingHeaders.has(name) || (withHost && name === 'host')) lines += `\n${name}-${headers[i + 1]}`
  }
  return lines
}
