/**
 * Builds the head of a request as one latin1 text, so that it is written in one call. Framing headers are added here and
 * never copied, as in `shared/sendable-headers.ts`. Names and values are validated against header injection.
 */
import type { HeaderPairs } from '@turnpike/core/http'
import type { UpstreamRequest } from '@turnpike/core/ports'
import { encodeForWire, isFraming } from '../shared/sendable-headers.ts'
import { isPathText, isToken, isValueText } from './parser/byte-classes.ts'

/** The length of the body, `chunked`, or `none` if there is no body. */
export type BodyFraming = number | 'chunked' | 'none'

export interface RequestHead {
  /** Request line and header lines with the empty line at the end. */
  readonly text: string
  /** The request has `connection: close`. */
  readonly closes: boolean
}

/**
 * Returns the head, or `undefined` if the method, the path or a header is not valid. Characters above 0xff are encoded.
 * `authority` is the Host header if `headers` has none. `trailerNames` are announced for a chunked body.
 */
export function requestHead(
  { method, path, headers }: Pick<UpstreamRequest, 'method' | 'path' | 'headers'>,
  framing: BodyFraming,
  authority: string,
  trailerNames?: string,
): RequestHead | undefined {
  const plain = headOf(method, path, headers, framing, authority, trailerNames)
  if (plain !== undefined) return plain
  const encoded = encodeForWire(path, headers)
  return headOf(method, encoded.path, encoded.headers, framing, authority, trailerNames)
}

// Names of most requests. The lookup is faster than validating their characters.
const commonNames = new Set(
  `accept accept-encoding accept-language authorization cache-control content-type cookie origin referer user-agent
  traceparent tracestate x-forwarded-for x-request-id`.split(/\s+/),
)

function headOf(
  method: string,
  path: string,
  headers: HeaderPairs,
  framing: BodyFraming,
  authority: string,
  trailerNames: string | undefined,
): RequestHead | undefined {
  if (!isToken(method) || !isPathText(path)) return undefined
  // The connection is not reused after HEAD, because some servers send a body nevertheless.
  let closes = method === 'HEAD'
  let lines = ''
  let host: string | undefined
  let hasTe = false
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    const value = headers[i + 1] as string
    if (isFraming(name)) {
      if (name === 'connection' && value.toLowerCase() === 'close') closes = true
      continue
    }
    // TE must be listed in Connection (RFC 9110 section 10.1.4).
    if (name === 'te') hasTe = true
    if (name === 'host') {
      // Two Host headers make the target of the request ambiguous.
      if (host !== undefined) return undefined
      host = value
      continue
    }
    if (!isValueText(value) || !(commonNames.has(name) || isToken(name))) return undefined
    lines += `${name}: ${value}\r\n`
  }
  const kept = closes ? 'close' : 'keep-alive'
  const connection = hasTe ? `${kept}, te` : kept
  const target = host ?? authority
  if (!isValueText(target)) return undefined
  const start = `${method} ${path} HTTP/1.1\r\nhost: ${target}\r\nconnection: ${connection}\r\n`
  return { text: `${start}${lines}${framed(method, framing, trailerNames)}\r\n`, closes }
}

function framed(method: string, framing: BodyFraming, trailerNames: string | undefined): string {
  if (framing === 'chunked') {
    const announced = trailerNames === undefined ? '' : `trailer: ${trailerNames}\r\n`
    return `transfer-encoding: chunked\r\n${announced}`
  }
  // `content-length: 0` is sent only for methods that expect a body (RFC 9110 section 8.6).
  if (framing === 'none') return expectsBody(method) ? 'content-length: 0\r\n' : ''
  return `content-length: ${framing}\r\n`
}

/** Returns true if requests with this method usually have a body, so that every server reads it (RFC 9110 section 9.3). */
export function expectsBody(method: string): boolean {
  switch (method) {
    case 'POST':
    case 'PUT':
    case 'PATCH':
    case 'QUERY':
    case 'PROPFIND':
    case 'PROPPATCH':
      return true
    default:
      return false
  }
}
