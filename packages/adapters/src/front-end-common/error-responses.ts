/**
 * Responses to requests that a front end rejects before the handler is called. They concern the HTTP protocol, so their
 * body is plain text that names the violated rule. Errors of the gateway itself are defined in `@turnpike/core`.
 */
import { type GatewayResponse, type HeaderPairs, proxiedMethods } from '@turnpike/core/http'

export interface ErrorResponse {
  readonly status: number
  readonly text: string
  /** Value of the Allow header, which a 405 response must have (RFC 9110 section 15.5.6). */
  readonly allow?: string
  /** The connection stays open, because the end of the rejected request is known. */
  readonly keepAlive?: true
  /**
   * The client is still sending. Closing the connection with unread bytes resets it, and the client could lose the
   * response, so the front end reads and discards bytes for a while.
   */
  readonly linger?: true
}

/** Headers of an error response as name-value pairs, without those of its framing. */
export function errorHeadersOf({ allow }: ErrorResponse): HeaderPairs {
  const headers = ['content-type', 'text/plain; charset=utf-8']
  if (allow !== undefined) headers.push('allow', allow)
  return headers
}

/** An error response as a handler would return it. */
export function textResponse(error: ErrorResponse): GatewayResponse {
  return { status: error.status, headers: errorHeadersOf(error), body: error.text }
}

export const errorResponses = {
  twoLengths: { status: 400, text: 'More than one Content-Length\n' },
  lengthWithTransferEncoding: { status: 400, text: 'Content-Length and Transfer-Encoding must not be combined\n' },
  badLength: { status: 400, text: 'Content-Length is not a whole number of bytes\n' },
  badEncoding: { status: 400, text: 'Transfer-Encoding is not valid\n' },
  unknownEncoding: { status: 501, text: 'The only supported Transfer-Encoding is chunked\n' },
  encodingInHttp10: { status: 400, text: 'HTTP/1.0 has no Transfer-Encoding\n' },
  noHost: { status: 400, text: 'Host is missing\n' },
  badHost: { status: 400, text: 'Host is not valid\n' },
  badTarget: { status: 400, text: 'The request target is not valid\n' },
  badEscape: { status: 400, text: '400 Bad Request' },
  badMethod: { status: 400, text: 'The method is not valid\n' },
  unknownMethod: { status: 501, text: 'The method is not supported\n' },
  connectNotSupported: { status: 405, text: 'CONNECT is not supported\n', allow: proxiedMethods },
  badMessage: { status: 400, text: 'Bad Request\n' },
  badVersion: { status: 505, text: 'HTTP Version Not Supported\n' },
  expectation: { status: 417, text: 'The only supported expectation is 100-continue\n' },
  longRequestLine: { status: 414, text: 'The request line is too long\n' },
  badChunks: { status: 400, text: 'The chunked body is not valid\n' },
  tooManyHeaders: { status: 431, text: 'Request Header Fields Too Large\n' },
  headTimeout: { status: 408, text: 'The request headers did not arrive in time\n' },
  bodyStalled: { status: 408, text: 'The request body made no progress for too long\n' },
  bodyTooLarge: { status: 413, text: 'Request Entity Too Large\n', keepAlive: true },
  unannouncedBodyTooLarge: { status: 413, text: 'Request Entity Too Large\n', linger: true },
  bodyAlreadyRead: {
    status: 500,
    text: 'The request body was read before the gateway received the request. Mount the gateway before body parsers.\n',
  },
  closed: { status: 503, text: 'The gateway is closed\n' },
  /** The handler threw. `Handle` is documented not to throw, so it reports a defect of the gateway. */
  internalError: { status: 500, text: 'Internal Server Error\n' },
} as const satisfies Record<string, ErrorResponse>
