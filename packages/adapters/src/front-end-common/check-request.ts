/** The checks of a request's head that depend on more than one of its parts (RFC 9112 sections 3 and 6). */
import { type HeaderPairs, setHeader } from '@turnpike/core/http'
import { type ErrorResponse, errorResponses } from './error-responses.ts'
import type { Framing } from './framing.ts'
import { maxHeaderLines } from './front-end-options.ts'
import type { RequestTarget } from './request-target.ts'

export interface CheckedHead {
  readonly method: string
  /** The version is HTTP/1.`minor`. */
  readonly minor: number
  readonly headers: HeaderPairs
}

/**
 * Returns an error response if the request must be rejected. Reads the framing of the headers, and replaces Host by the host
 * of an absolute target (RFC 9112 section 3.2.2). `maxBodyBytes`: 0 is no limit.
 */
export function checkRequest(
  { method, minor, headers }: CheckedHead,
  target: RequestTarget | ErrorResponse,
  framing: Framing,
  maxBodyBytes: number,
): ErrorResponse | undefined {
  if (method === 'CONNECT') return errorResponses.connectNotSupported
  if (headers.length > 2 * maxHeaderLines) return errorResponses.tooManyHeaders
  const errorResponse = framing.read(headers)
  if (errorResponse !== undefined) return errorResponse
  // Another HTTP/1.0 server on the path may have read the body in another way (RFC 9112 section 6.1).
  if (framing.bodyLength === undefined && minor === 0) return errorResponses.encodingInHttp10
  if (framing.host === undefined && minor === 1) return errorResponses.noHost
  if ('status' in target) return target
  if (target.host !== undefined) setHeader(headers, 'host', target.host)
  return maxBodyBytes > 0 && (framing.bodyLength ?? 0) > maxBodyBytes ? errorResponses.bodyTooLarge : undefined
}
