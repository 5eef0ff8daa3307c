/** Heads of HTTP/2 (RFC 9113, 8.3) as the engine has them, and back. */
import type { OutgoingHttpHeaders } from 'node:http'
import { type HeaderPairs, setHeader } from '@turnpike/core'

export interface Http2Head {
  readonly method: string
  readonly target: string
  readonly headers: HeaderPairs
}

/** Splits off what stands in pseudo headers; the authority becomes Host, and cookies one line (8.2.3). */
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

/** Belong to connections of HTTP/1.1; on HTTP/2 they make a message malformed (8.2.2). */
const forbidden: ReadonlySet<string> = new Set(['connection', 'proxy-connection', 'te', 'http2-settings'])

/** The headers of an answer as Node's HTTP/2 takes them; `pairs` are ready to write otherwise. */
export function writeHttp2Head(status: number, pairs: readonly string[]): OutgoingHttpHeaders {
  const head = writeHttp2Fields(pairs)
  head[':status'] = status
  return head
}

/** Fields without a status, as trailers are. */
export function writeHttp2Fields(pairs: readonly string[]): OutgoingHttpHeaders {
  const head: OutgoingHttpHeaders = Object.create(null)
  for (let i = 0; i < pairs.length; i += 2) {
    const name = pairs[i] as string
    const value = pairs[i + 1] as string
    if (forbidden.has(name)) continue
    const before = head[name] as string | string[] | undefined
    if (name === 'set-cookie') head[name] = before === undefined ? [value] : [...before, value]
    // Lines of one name are one list (RFC 9110, 5.3), and Node takes only one of many names.
    else head[name] = before === undefined ? value : `${before}, ${value}`
  }
  return head
}
