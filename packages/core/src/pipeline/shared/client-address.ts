/**
 * The address of the client, used by address lists, cache, variables and records
 * (docs/reference/routing.md#client-address). Without settings, X-Real-IP and X-Forwarded-For count from any sender, as
 * in the original gateway. `trusted_proxies` and `xff_depth` say which of them count.
 */

import { headerOf, headersOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { formatIpAddress, parseIpAddress } from '../../lib/ip-address.ts'
import type { GatewaySettings } from '../../ports/settings.ts'
import type { RequestContext } from '../contract/request-context.ts'

/** The settings that decide which headers count. */
export type AddressSettings = Pick<GatewaySettings['routing'], 'xffDepth' | 'trustsPeer'>

type AddressedContext = Pick<RequestContext, 'request' | 'clientAddress'>

/** Returns the address of the client, computed once per request. */
export function clientAddressOf(context: AddressedContext, settings: AddressSettings): string {
  context.clientAddress ??= clientAddressOfRequest(context.request, settings)
  return context.clientAddress
}

/**
 * Returns `X-Real-IP` if it is an address, otherwise the entry of `X-Forwarded-For` that `xffDepth` selects (0: the
 * first, n: the nth from the right), otherwise the peer address of the connection. Returns an empty string if the list
 * has fewer entries than the depth, because then no trusted proxy set an address. `X-Real-IP` does not count with a
 * depth, and no header of a peer counts that is not trusted.
 */
export function clientAddressOfRequest(request: GatewayRequest, { xffDepth, trustsPeer }: AddressSettings): string {
  if (trustsPeer !== undefined && !trustsPeer(request.remoteAddress)) return request.remoteAddress
  const real = xffDepth > 0 ? undefined : headerOf(request.headers, 'x-real-ip')
  if (real !== undefined) {
    const address = normalise(real)
    if (address !== undefined) return address
  }
  const forwarded = headerOf(request.headers, 'x-forwarded-for')
  if (forwarded === undefined || forwarded === '') return request.remoteAddress
  // Several header lines are equivalent to one comma-separated list (RFC 9110 section 5.3).
  const entries = headersOf(request.headers, 'x-forwarded-for').join(',').split(',')
  if (xffDepth > entries.length) return ''
  const chosen = xffDepth > 0 ? entries[entries.length - xffDepth] : entries[0]
  return normalise(chosen ?? '') ?? request.remoteAddress
}

/**
 * The address whose wrong secrets are counted, which a client must not be able to choose. Without `trusted_proxies` and
 * `xff_depth`, and for peers that are not trusted, it is the peer. With a depth it is the entry of `X-Forwarded-For` at
 * the depth, otherwise the last entry that is not a trusted proxy: proxies append, so entries before it can be invented.
 * `X-Real-IP` counts only if a trusted peer sent no `X-Forwarded-For`. The peer also counts if the entry is no address,
 * or if all are trusted. Source: docs/security.md#guessing-of-secrets.
 */
export function guessAddressOf(request: GatewayRequest, settings: AddressSettings): string {
  const { trustsPeer } = settings
  if (settings.xffDepth > 0) return clientAddressOfRequest(request, settings) || request.remoteAddress
  if (trustsPeer === undefined || !trustsPeer(request.remoteAddress)) return request.remoteAddress
  const forwarded = headersOf(request.headers, 'x-forwarded-for').join(',')
  if (forwarded === '') return normalise(headerOf(request.headers, 'x-real-ip') ?? '') ?? request.remoteAddress
  for (const entry of forwarded.split(',').reverse()) {
    const address = normalise(entry)
    if (address === undefined) break
    if (!trustsPeer(address)) return address
  }
  return request.remoteAddress
}

/** `1.2.3.4:567`, `[2001:db8::1]:567` and `[2001:db8::1]`: some proxies add the port of the client. */
const withPort = /^(?:(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}|\[([^[\]]+)\](?::\d{1,5})?)$/

function normalise(entry: string): string | undefined {
  const text = entry.trim()
  const [, v4, v6] = withPort.exec(text) ?? []
  const address = parseIpAddress(v4 ?? v6 ?? text)
  return address === undefined ? undefined : formatIpAddress(address)
}
