/**
 * Who is calling: the address that address lists, the cache, variables and records go by.
 * Source: spec/apis-and-pipeline.md 4.10. The headers are believed from anybody, as recorded; a gateway that is
 * reached directly should have `xff_depth` and a proxy in front that sets them.
 */

import { headerOf, headersOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { formatIpAddress, parseIpAddress } from '../../lib/ip-address.ts'

interface AddressedContext {
  readonly request: GatewayRequest
  /** Where the answer is kept for the next who asks. */
  clientAddress: string | undefined
}

/** The client's address, found once per request. */
export function clientAddressOf(context: AddressedContext, xffDepth: number): string {
  context.clientAddress ??= clientAddressOfRequest(context.request, xffDepth)
  return context.clientAddress
}

/**
 * `X-Real-IP` if it is an address, else the entry of `X-Forwarded-For` that `xffDepth` names (0: the first, n: the
 * nth from the right), else the other end of the connection. Empty when the list is shorter than the depth: then
 * nobody vouches for an address.
 */
export function clientAddressOfRequest(request: GatewayRequest, xffDepth: number): string {
  const real = headerOf(request.headers, 'x-real-ip')
  if (real !== undefined) {
    const address = normalise(real)
    if (address !== undefined) return address
  }
  const forwarded = headerOf(request.headers, 'x-forwarded-for')
  if (forwarded === undefined || forwarded === '') return request.remoteAddress
  // Proxies may add a line of their own instead of continuing the list; both mean the same (RFC 9110, 5.3).
  const entries = headersOf(request.headers, 'x-forwarded-for').join(',').split(',')
  if (xffDepth > entries.length) return ''
  const chosen = xffDepth > 0 ? entries[entries.length - xffDepth] : entries[0]
  return normalise(chosen ?? '') ?? request.remoteAddress
}

function normalise(text: string): string | undefined {
  const address = parseIpAddress(text.trim())
  return address === undefined ? undefined : formatIpAddress(address)
}
