/** Converts request headers from HTTP/2 (RFC 9113 section 8.3) and response headers to it. */
import type { OutgoingHttpHeaders } from 'node:http'
import { type HeaderPairs, setHeader } from '@turnpike/core/http'

export interface Http2Head {
  readonly method: string
  readonly target: string
  readonly headers: HeaderPairs
}

/**
 * Separates the pseudo-header fields. `:authority` becomes Host, and several cookie fields become one (RFC 9113
 * section 8.2.3).
 */
export function readHttp2Head(raw: readonly string[]): Http2Head {
  const headers: HeaderPairs = []
  let [method, target, authority, cookies] = ['', '', '', '']
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string
    const value = raw[i + 1] as string
    if (name === ':method') method = value
    else if (name === ':path') target = value
    else if (name === ':authority') authority = value
    else if (name === 'cookie') cookies = cookies === '' ? value : `${cookies}; ${value}`
    else if (!name.startsWith(':')) headers.push(name, value)
  }
  if (cookies !== '') headers.push('cookie', cookies)
  if (authority !== '') setHeader(headers, 'host', authority)
  return { method, target, headers }
}

/** Connection headers of HTTP/1.1, which make an HTTP/2 message malformed (RFC 9113 section 8.2.2). */
const forbidden: ReadonlySet<string> = new Set(['connection', 'proxy-connection', 'te', 'http2-settings'])

/** Returns response headers for node:http2. `pairs` must contain valid names and values. */
export function writeHttp2Head(status: number, pairs: readonly string[]): OutgoingHttpHeaders {
  const head = writeHttp2Fields(pairs)
  head[':status'] = status
  return head
}

/** Returns trailers for node:http2. */
export function writeHttp2Fields(pairs: readonly string[]): OutgoingHttpHeaders {
  const head: OutgoingHttpHeaders = Object.create(null)
  for (let i = 0; i < pairs.length; i += 2) {
    const name = pairs[i] as string
    const value = pairs[i + 1] as string
    if (forbidden.has(name)) continue
    const before = head[name] as string | string[] | undefined
    if (name === 'set-cookie') head[name] = before === undefined ? [value] : [...before, value]
    // Repeated fields are equal to one comma-separated field (RFC 9110 section 5.3). Node rejects repetition of many.
    else head[name] = before === undefined ? value : `${before}, ${value}`
  }
  return head
}
