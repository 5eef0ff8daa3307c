/** Decides which calls are sent to the upstream again, for all HTTP clients. */
import type { UpstreamRequest } from '@turnpike/core/ports'

/** What a client knows of a call that ended without a response. */
export interface FailedCall {
  readonly request: Pick<UpstreamRequest, 'method' | 'body'>
  /** How often the request was sent. */
  readonly attempts: number
  /**
   * The connection was lost before a byte of the response arrived, and it had carried another request. So the upstream
   * most likely closed an idle connection while the request was in transit (RFC 9112 section 9.3.1).
   */
  readonly lostUsedConnection: boolean
  /** The upstream said that it did not process the request: HTTP/2 REFUSED_STREAM (RFC 9113 section 8.7). */
  readonly wasRefused: boolean
}

/** Safe methods (RFC 9110 section 9.2.1). The upstream may have processed the request of a lost connection. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * A call is sent at most twice: after a refusal with no body or a buffered one, after a lost connection only a safe
 * method without any body.
 */
export function maySendAgain({
  request: { method, body },
  attempts,
  lostUsedConnection,
  wasRefused,
}: FailedCall): boolean {
  if (attempts > 1) return false
  if (wasRefused) return body === undefined || body instanceof Uint8Array
  return lostUsedConnection && body === undefined && safeMethods.has(method)
}
