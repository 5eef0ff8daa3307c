/** Error responses written directly to the socket, for bytes that Node's HTTP parser rejected. */
import type { Socket } from 'node:net'
import { type ErrorResponse, errorResponses } from '../front-end-common/error-responses.ts'
import { statusText } from '../front-end-common/status-text.ts'

/** Writes the error response and closes the connection. `isHead`: without the body. */
export function writeRawErrorResponse(socket: Socket, errorResponse: ErrorResponse, isHead = false): void {
  const allow = errorResponse.allow === undefined ? '' : `Allow: ${errorResponse.allow}\r\n`
  const head = `HTTP/1.1 ${statusText(errorResponse.status)}\r\nContent-Type: text/plain; charset=utf-8\r\n${allow}`
  const length = Buffer.byteLength(errorResponse.text)
  socket.end(`${head}Content-Length: ${length}\r\nConnection: close\r\n\r\n${isHead ? '' : errorResponse.text}`, () =>
    socket.destroy(),
  )
}

/** Returns true if the request that Node's parser could not read is a HEAD request. */
export function isErrorOfHead({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  if (rawPacket === undefined) return false
  const parsed = rawPacket.toString('latin1', 0, bytesParsed)
  // The packet may begin with complete requests.
  const start = parsed.lastIndexOf('\r\n\r\n')
  return rawPacket.toString('latin1', start === -1 ? 0 : start + 4).startsWith('HEAD ')
}

/** An error of Node's HTTP parser, with the bytes that it was given last. */
export interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** Returns the response to an error of Node's parser; `undefined` if the connection broke and cannot carry one. */
export function errorResponseFor(error: NodeJS.ErrnoException): ErrorResponse | undefined {
  const code = error.code ?? ''
  if (code === 'HPE_HEADER_OVERFLOW') return errorResponses.tooManyHeaders
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errorResponses.headTimeout
  if (code === 'HPE_INVALID_VERSION' || code === 'HPE_PAUSED_H2_UPGRADE') return errorResponses.badVersion
  if (code === 'HPE_UNEXPECTED_CONTENT_LENGTH') return errorResponses.twoLengths
  if (code === 'HPE_INVALID_CONTENT_LENGTH') return errorResponses.badLength
  if (code === 'HPE_INVALID_TRANSFER_ENCODING') return errorResponses.badEncoding
  if (code === 'HPE_INVALID_URL') return errorResponses.badTarget
  if (code === 'HPE_INVALID_METHOD') return errorResponses.badMethod
  return code.startsWith('HPE_') ? errorResponses.badMessage : undefined
}
