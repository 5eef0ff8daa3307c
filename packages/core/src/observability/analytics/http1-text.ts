/**
 * Requests and responses in HTTP/1.1 format, for detailed records and events: start line, headers, blank line, and the
 * captured part of the body.
 */

import { joinChunks } from '../../http/byte-stream.ts'
import { canonicalName } from '../../http/field-names.ts'
import type { HeaderPairs } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'

const noBytes = new Uint8Array(0)

export function requestWireForm(
  request: Pick<GatewayRequest, 'method' | 'path' | 'query' | 'headers'>,
  body: Uint8Array = noBytes,
): Uint8Array {
  const target = request.query === '' ? request.path : `${request.path}?${request.query}`
  return message(`${request.method} ${target} HTTP/1.1`, request.headers, body)
}

export function responseWireForm(status: number, headers: HeaderPairs, body: Uint8Array = noBytes): Uint8Array {
  return message(`HTTP/1.1 ${status}`, headers, body)
}

/** Readers of records expect canonical names of headers. */
function message(startLine: string, headers: HeaderPairs, body: Uint8Array): Uint8Array {
  let head = `${startLine}\r\n`
  for (let i = 0; i < headers.length; i += 2) head += `${canonicalName(headers[i] as string)}: ${headers[i + 1]}\r\n`
  const bytes = utf8Bytes(`${head}\r\n`)
  return joinChunks([bytes, body], bytes.length + body.length)
}
