/** Rules for writing a response's status line and headers that both front ends share. */
import type { ByteStream, GatewayResponse, GatewayResponseBody } from '@turnpike/core/http'

/**
 * Returns true for headers that describe the framing of the body or the connection. The front end writes them itself
 * and does not copy them from the response. It obeys `connection: close` by closing the connection.
 */
export function isFramingHeader(name: string): boolean {
  switch (name.length) {
    case 7:
      return name === 'upgrade' || name === 'trailer'
    case 10:
      return name === 'connection' || name === 'keep-alive'
    case 14:
      return name === 'content-length'
    case 17:
      return name === 'transfer-encoding'
    default:
      return false
  }
}

/** Returns true if this response must not have a body (RFC 9110 section 6.4.1), even if the handler supplied one. */
export function omitsBody(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 304 || status < 200
}

/**
 * Returns the Content-Length of a response that is sent without its body: the length that GET would have returned, or
 * `undefined` if it is unknown. 1xx and 204 responses must not have the header (RFC 9110 section 8.6). `given` is the
 * handler's own Content-Length.
 */
export function contentLengthOfOmittedBody(response: GatewayResponse, given: string | undefined): string | undefined {
  if (response.status === 204 || response.status < 200) return undefined
  if (given !== undefined && /^\d{1,15}$/.test(given)) return given
  if (response.status === 304) return undefined
  const length = response.bodyLength ?? lengthOf(response.body)
  return length === undefined ? undefined : String(length)
}

/** The response of an upstream to HEAD has no body, which says nothing about the body of a GET. */
function lengthOf(body: GatewayResponseBody): number | undefined {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.length : undefined
}

/** Returns true if the body is a stream, not a string or bytes. */
export function isStream(body: GatewayResponseBody): body is ByteStream {
  return typeof body === 'object' && !(body instanceof Uint8Array)
}

/** Releases the body of a response that will not be sent. */
export function discardBody(response: GatewayResponse): void {
  if (isStream(response.body)) response.body.cancel(new Error('the client no longer waits for the response'))
  response.tunnel?.incoming.cancel()
}

/** The stream of a response body had more or fewer bytes than the announced Content-Length. */
export class BodyLengthMismatch extends Error {
  constructor(sent: number, announced: number) {
    super(`the response body has ${sent} bytes, but its Content-Length is ${announced}`)
  }
}
