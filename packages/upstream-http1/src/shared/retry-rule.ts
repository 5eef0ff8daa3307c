/**
 * Which requests are sent again after the upstream closed the connection that they were sent on, for all HTTP clients.
 * Each client adds in `mayRetry` (`call-pool.ts`, `http2-call.ts`) what it knows of its connection: it served a request
 * before, and no byte of a response arrived. So the upstream most likely closed an idle connection while the request was in
 * transit (RFC 9112 section 9.3.1).
 */
import type { UpstreamRequest } from '@turnpike/core'

/** Safe methods (RFC 9110 section 9.2.1). The upstream may have processed the request, so others are not repeated. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

export function isRepeatable({ method, body }: Pick<UpstreamRequest, 'method' | 'body'>): boolean {
  return body === undefined && safeMethods.has(method)
}
