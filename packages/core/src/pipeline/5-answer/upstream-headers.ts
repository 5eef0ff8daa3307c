/** Headers on their way to the upstream and back. Source: spec/apis-and-pipeline.md 4.10. */
import type { HeaderPairs } from '../../http/headers.ts'
import type { RequestContext } from '../contract/request-context.ts'
import { isHopByHop, namedInConnection } from './hop-by-hop.ts'

/** What does not depend on the request. */
export interface HeaderPlan {
  /** Sent when the client named no agent. */
  readonly userAgent: string
  readonly preserveHost: boolean
  /** The upstream is asked to close the connection. */
  readonly closes: boolean
}

/**
 * Puts the headers as the upstream gets them into `to`. Returns whether the gateway asked for gzip on its own account,
 * so that it has to unpack the answer: not for HEAD and not for ranges, whose bytes must be the client's.
 */
export function copyRequestHeaders(
  { outgoing, request }: RequestContext,
  host: string,
  { userAgent, preserveHost, closes }: HeaderPlan,
  to: HeaderPairs,
): boolean {
  const from = outgoing.headers
  const named = namedInConnection(from)
  let clientHost = ''
  let forwardedFor = ''
  let hasAgent = false
  let hasEncoding = false
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
      case 'user-agent':
        hasAgent = true
        break
      case 'accept-encoding':
      case 'range':
        hasEncoding = true
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
  if (hasEncoding || outgoing.method === 'HEAD') return false
  to.push('accept-encoding', 'gzip')
  return true
}

/** Headers of an answer as the client gets them, without those of one connection and of framing. */
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
