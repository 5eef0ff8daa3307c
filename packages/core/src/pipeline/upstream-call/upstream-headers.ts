/**
 * Copies headers between client and upstream (docs/reference/routing.md#request-headers-for-the-upstream): removes
 * hop-by-hop headers (except `TE: trailers`), those that `Connection` lists, Content-Length, Expect and the gateway's
 * own cookies, and adds Host, X-Forwarded-For, User-Agent and Accept-Encoding.
 */
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import { isHopByHop, namedInConnection } from '../../http/hop-by-hop-names.ts'
import { withoutCookies } from '../../http/own-cookies.ts'
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

/** Documents that browsers show as pages, with scripts. A missing type counts, because browsers then guess. */
const isPage = (contentType: string | undefined) => contentType === undefined || /html|xml/i.test(contentType)

/**
 * Copies response headers for the client, without hop-by-hop headers and `Content-Length`. `sandboxesPages`: a page of the
 * upstream gets an origin of its own in browsers, so that it cannot use a session of the dashboard.
 */
export function responseHeadersForClient(given: HeaderPairs, sandboxesPages: boolean): HeaderPairs {
  const headers: HeaderPairs = []
  const named = namedInConnection(given)
  for (let i = 0; i < given.length; i += 2) {
    const name = given[i] as string
    if (name === 'content-length' || isHopByHop(name) || named?.has(name)) continue
    headers.push(name, given[i + 1] as string)
  }
  if (sandboxesPages && isPage(headerOf(headers, 'content-type'))) headers.push('content-security-policy', 'sandbox')
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
