/** Answers on a socket whose request never became one: what the parser refused. */
import type { Socket } from 'node:net'
import { type Refusal, refusals } from '../front-end-common/refusal.ts'
import { statusText } from '../front-end-common/status-text.ts'

/** Writes the refusal and closes. */
export function writeBareAnswer(socket: Socket, refusal: Refusal): void {
  const head = `HTTP/1.1 ${statusText(refusal.status)}\r\nContent-Type: text/plain; charset=utf-8\r\n`
  const length = Buffer.byteLength(refusal.text)
  socket.end(`${head}Content-Length: ${length}\r\nConnection: close\r\n\r\n${refusal.text}`, () => socket.destroy())
}

/** What a parser's error means to the client; `undefined` when the connection broke and nobody is there to be told. */
export function refusalOf(error: NodeJS.ErrnoException): Refusal | undefined {
  const code = error.code ?? ''
  if (code === 'HPE_HEADER_OVERFLOW') return refusals.tooManyHeaders
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusals.headTimeout
  if (code === 'HPE_INVALID_VERSION' || code === 'HPE_PAUSED_H2_UPGRADE') return refusals.badVersion
  if (code === 'HPE_UNEXPECTED_CONTENT_LENGTH') return refusals.twoLengths
  if (code === 'HPE_INVALID_CONTENT_LENGTH') return refusals.badLength
  if (code === 'HPE_INVALID_TRANSFER_ENCODING') return refusals.badEncoding
  if (code === 'HPE_INVALID_URL') return refusals.badTarget
  if (code === 'HPE_INVALID_METHOD') return refusals.badMethod
  return code.startsWith('HPE_') ? refusals.badMessage : undefined
}
