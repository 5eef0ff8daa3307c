/**
 * Copies headers between client and upstream (docs/reference/routing.md#request-headers-for-the-upstream): removes
 * hop-by-hop headers (except `TE: trailers`), those that `Connection` lists, Content-Length, Expect and the gateway's
 * own cookies, and adds Host, X-Forwarded-For, User-Agent and Accept-Encoding.
 */
import type { HeaderPairs } from '../../http/headers.ts'
import { isHopByHop, namedInConnection } from '../../http/hop-by-hop-names.ts'
import type { RequestContext } from '../contract/request-context.ts'

/** Settings that do not depend on the request. */
export interface HeaderPlan {
  /** Sent if the client sends no User-Agent. */
  readonly userAgent: string
  readonly preserveHost: boolean
  /** Cookies of the gateway, which the upstream does not get. */
  readonly ownCookies: readonly string[]
  /** If true, the gateway sends `Connection: close`. */
  readonly closes: boolean
}

/**
 * Appends the headers for the upstream to `to`. Returns true if it added `Accept-Encoding: gzip`; the caller then
 * decompresses the response. It adds none for HEAD, nor if the client sent Accept-Encoding or Range (ranges count bytes
 * after encoding).
 */
export function copyRequestHeaders(
  { outgoing, request }: RequestContext,
  host: string,
  { userAgent, preserveHost, ownCookies, closes }: HeaderPlan,
  to: HeaderPairs,
): boolean {
  const from = outgoing.headers
  const named = namedInConnection(from)
  let clientHost = ''
  let forwardedFor = ''
  let hasAgent = false
  let keepsCoding = false
  for (let i = 0; i < from.length; i += 2) {
    const name = from[i] as string
    const value = from[i + 1] as string
    switch (name) {
      case 'host':
        clientHost = value
        continue
      case 'content-length':
      case 'expect':
        continue
      case 'x-forwarded-for':
        forwardedFor = forwardedFor === '' ? value : `${forwardedFor}, ${value}`
        continue
      case 'te':
        if (value === 'trailers') to.push(name, value)
        continue
      case 'cookie': {
        const cookies = ownCookies.length === 0 ? value : withoutCookies(value, ownCookies)
        if (cookies !== '' && named?.has(name) !== true) to.push(name, cookies)
        continue
      }
      case 'user-agent':
        hasAgent = !named?.has(name)
        break
      case 'accept-encoding':
      case 'range':
        keepsCoding = true
        break
    }
    if (isHopByHop(name) || named?.has(name)) continue
    to.push(name, value)
  }
  to.push('host', preserveHost && clientHost !== '' ? clientHost : host)
  if (closes) to.push('connection', 'close')
  if (outgoing.addForwardedFor) {
    to.push(
      'x-forwarded-for',
      forwardedFor === '' ? request.remoteAddress : `${forwardedFor}, ${request.remoteAddress}`,
    )
  }
  if (!hasAgent) to.push('user-agent', userAgent)
  if (keepsCoding || outgoing.method === 'HEAD') return false
  to.push('accept-encoding', 'gzip')
  return true
}

/** Removes cookies by name from a `Cookie` header (RFC 6265 section 4.2). */
function withoutCookies(value: string, names: readonly string[]): string {
  if (!names.some((name) => value.includes(name))) return value
  const kept = value.split(';').filter((pair) => !names.includes(pair.split('=', 1)[0]?.trim() ?? ''))
  return kept.join(';').trim()
}

/** Copies response headers for the client, without hop-by-hop headers and `Content-Length`. */
export function responseHeadersForClient(given: HeaderPairs): HeaderPairs {
  const headers: HeaderPairs = []
  const named = namedInConnection(given)
  for (let i = 0; i < given.length; i += 2) {
    const name = given[i] as string
    if (name === 'content-length' || isHopByHop(name) || named?.has(name)) continue
    headers.push(name, given[i + 1] as string)
  }
  return headers
}

/**
 * Copies `Link`, the header that early hints consist of (RFC 8297). The rules of an API for response headers do not see
 * interim responses, so no other header passes.
 */
export function interimHeadersForClient(given: HeaderPairs): HeaderPairs {
  const headers: HeaderPairs = []
  for (let i = 0; i < given.length; i += 2) {
    if (given[i] === 'link') headers.push('link', given[i + 1] as string)
  }
  return headers
}
