/**
 * The text form of a cached response, compatible with the original gateway: base64 of the response in HTTP/1.1 format, a
 * vertical bar, and the expiry in Unix seconds. Source: docs/reference/redis-counters.md#cached-responses.
 */
import { STATUS_CODES } from 'node:http'
import { canonicalName, type HeaderPairs, headerOf } from '@turnpike/core/http'
import type { StoredResponse } from '@turnpike/core/ports'

export function printResponse(response: StoredResponse, expiresAtSeconds: number, isHead: boolean): string {
  const { status, headers, body, bodyLength } = response
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()]
  if (body !== undefined && body.length > 0) lines.push(`Content-Length: ${body.length}`)
  else if (isHead && bodyLength !== undefined) lines.push(`Content-Length: ${bodyLength}`)
  else if (isHead) lines.push('Connection: close')
  else if (status !== 204 && status !== 304) lines.push('Content-Length: 0')
  lines.push(...sortedLines(headers))
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const whole = body === undefined ? head : Buffer.concat([head, body])
  return `${whole.toString('base64')}|${expiresAtSeconds}`
}

/** Parses a text; `undefined` if the response has expired or the text is invalid. */
export function parseResponse(text: string, nowMs: number, isHead: boolean): StoredResponse | undefined {
  const parts = text.split('|')
  const [encoded, end] = parts
  if (parts.length !== 2 || encoded === undefined || !(Number(end) * 1000 > nowMs)) return undefined
  return parseMessage(Buffer.from(encoded, 'base64'), isHead)
}

function parseMessage(bytes: Buffer, isHead: boolean): StoredResponse | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1])
  if (!(status >= 200)) return undefined
  const all = readHeaders(lines)
  if (all === undefined) return undefined
  const rest = bytes.subarray(end + 4)
  const body = readBody(rest, all, isHead)
  if (body === undefined) return undefined
  const headers = all.filter((_, i) => !dropped.has(all[i - (i % 2)] as string))
  return {
    status,
    headers,
    body: body.length === 0 ? undefined : body,
    bodyLength: isHead ? lengthOf(all) : undefined,
    etag: headerOf(headers, 'etag'),
  }
}

/** Headers of the connection, which are not part of the response. */
const dropped: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
])

function readHeaders(lines: readonly string[]): HeaderPairs | undefined {
  const headers: HeaderPairs = []
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) return undefined
    headers.push(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}

/** Reads the body; `undefined` if it is shorter than its Content-Length. */
function readBody(rest: Buffer, headers: HeaderPairs, isHead: boolean): Uint8Array | undefined {
  if (isHead) return new Uint8Array()
  if (headerOf(headers, 'transfer-encoding')?.toLowerCase() === 'chunked') return unchunk(rest)
  const length = lengthOf(headers) ?? rest.length
  return rest.length < length ? undefined : new Uint8Array(rest.subarray(0, length))
}

function lengthOf(headers: HeaderPairs): number | undefined {
  const text = headerOf(headers, 'content-length')
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function unchunk(bytes: Buffer): Uint8Array | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const start = lineEnd + 2
    if (!(size >= 0) || start + size + 2 > bytes.length) return undefined
    if (size === 0) return new Uint8Array(Buffer.concat(chunks))
    chunks.push(bytes.subarray(start, start + size))
    at = start + size + 2
  }
}

/** One line per value, sorted by name; values of one name keep their order. */
function sortedLines(headers: Readonly<HeaderPairs>): string[] {
  const pairs: { readonly name: string; readonly value: string }[] = []
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = canonicalName(headers[i] as string)
    if (!dropped.has((headers[i] as string).toLowerCase())) pairs.push({ name, value: headers[i + 1] as string })
  }
  pairs.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return pairs.map(({ name, value }) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}`)
}
