/**
 * Requests and responses in HTTP/1.1 format, for detailed records and events, so that HTTP parsers can read them: start
 * line, headers, blank line, and the captured part of the body, framed as RFC 9112 section 6 requires.
 */

import { joinChunks } from '../../http/byte-stream.ts'
import { canonicalName } from '../../http/field-names.ts'
import { type HeaderPairs, headerOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { reasonPhrase } from '../../http/reason-phrase.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

const noBytes = new Uint8Array(0)

/** A body that came in chunks is written as one chunk. `Content-Length` is that of the captured body. */
export function requestWireForm(
  request: Pick<GatewayRequest, 'method' | 'path' | 'query' | 'headers'>,
  body: Uint8Array = noBytes,
): Uint8Array {
  const { method, path, query, headers } = request
  const startLine = `${method} ${query === '' ? path : `${path}?${query}`} HTTP/1.1`
  if (isChunked(headers)) return message(startLine, without(headers, 'content-length'), chunked(body))
  const hasLength = body.length > 0 || headerOf(headers, 'content-length') !== undefined
  return message(startLine, hasLength ? withLength(headers, body.length) : headers, body)
}

/** `method` is that of the request. Responses without a body keep the `Content-Length` that they were sent with. */
export function responseWireForm(
  status: number,
  headers: HeaderPairs,
  body: Uint8Array = noBytes,
  method = 'GET',
): Uint8Array {
  const startLine = `HTTP/1.1 ${status} ${reasonPhrase(status)}`
  const hasNoBody = method === 'HEAD' || status < 200 || status === 204 || status === 304
  return hasNoBody
    ? message(startLine, headers, noBytes)
    : message(startLine, withLength(without(headers, 'transfer-encoding'), body.length), body)
}

function isChunked(headers: HeaderPairs): boolean {
  return /(?:^|,)\s*chunked\s*$/i.test(headerOf(headers, 'transfer-encoding') ?? '')
}

function chunked(body: Uint8Array): Uint8Array {
  const end = utf8Bytes('0\r\n\r\n')
  if (body.length === 0) return end
  const pieces = [utf8Bytes(`${body.length.toString(16)}\r\n`), body, utf8Bytes('\r\n'), end]
  return joinChunks(
    pieces,
    pieces.reduce((sum, piece) => sum + piece.length, 0),
  )
}

function without(headers: HeaderPairs, name: string): HeaderPairs {
  return headers.filter((_, i) => (i % 2 === 0 ? headers[i] : headers[i - 1]) !== name)
}

/** Replaces the length in its place, or adds it. */
function withLength(headers: HeaderPairs, length: number): HeaderPairs {
  if (headerOf(headers, 'content-length') === undefined) return [...headers, 'content-length', String(length)]
  return headers.map((text, i) => (headers[i - 1] === 'content-length' && i % 2 === 1 ? String(length) : text))
}

/** Readers of records expect canonical names of headers. */
function message(startLine: string, headers: HeaderPairs, body: Uint8Array): Uint8Array {
  let head = `${startLine}\r\n`
  for (let i = 0; i < headers.length; i += 2) head += `${canonicalName(headers[i] as string)}: ${headers[i + 1]}\r\n`
  const bytes = utf8Bytes(`${head}\r\n`)
  return joinChunks([bytes, body], bytes.length + body.length)
}
