/**
 * Requests without a socket, for `gateway.inject`, batch items and tests. Served requests do not pass through this file.
 */
import { type ByteStream, collect, streamOf } from '../http/byte-stream.ts'
import { type HeaderPairs, headerOf } from '../http/headers.ts'
import type { GatewayRequest, GatewayResponse } from '../http/messages.ts'
import { strictUtf8Text, utf8Bytes } from '../lib/text/utf8.ts'

/** A request to inject; only `url` is required. */
export interface InjectOptions {
  /** Default: GET. */
  readonly method?: string
  /** Path and query (`/a?b=c`), or an absolute URL. The URL's host becomes the Host header unless one is given. */
  readonly url: string
  /** A record or flat name-value pairs; names in any case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | readonly string[]
  /** Text is encoded as UTF-8. A stream is chunked unless `content-length` is given. */
  readonly body?: string | Uint8Array | ByteStream
  /** Default: 127.0.0.1. */
  readonly remoteAddress?: string
  /** Whether the request counts as received over TLS. Default: false. */
  readonly secure?: boolean
}

/** A request for the engine; `abort` simulates a client disconnect. */
export interface InjectedRequest extends GatewayRequest {
  abort(): void
}

/** Builds a request as a front end would: lower-case header names, with Host and Content-Length. */
export function makeInjectedRequest(options: InjectOptions): InjectedRequest {
  const { path, query, hasEmptyQuery, host } = splitUrl(options.url)
  const headers = toPairs(options.headers ?? [])
  if (headerOf(headers, 'host') === undefined) headers.unshift('host', host)
  const { stream, length } = toBody(options.body, headers)
  let listener: (() => void) | undefined
  return {
    method: options.method ?? 'GET',
    path,
    query,
    hasEmptyQuery,
    headers,
    remoteAddress: options.remoteAddress ?? '127.0.0.1',
    secure: options.secure ?? false,
    body: stream,
    bodyLength: length,
    onAbort(to) {
      listener = to
    },
    abort() {
      const notify = listener
      listener = undefined
      notify?.()
    },
  }
}

/** A response whose body was read completely. */
export interface CollectedResponse {
  readonly status: number
  /** Flat name-value pairs, as sent. */
  readonly pairs: HeaderPairs
  /** By lower-case name; repeated lines are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  /** Throws when the body is not UTF-8. */
  text(): string
  /** The parsed body. Throws when it is not valid JSON. */
  json<T = unknown>(): T
}

/**
 * Reads a response's body. `limit` is in bytes; default: no limit. Rejects when the body is incomplete, or with
 * `BodyTooLarge` when it exceeds the limit.
 */
export async function collectResponse(
  response: GatewayResponse,
  limit = Number.POSITIVE_INFINITY,
): Promise<CollectedResponse> {
  const bytes = await bytesOf(response.body, limit)
  const text = () => {
    const read = strictUtf8Text(bytes)
    if (read === undefined) throw new Error('the body is not UTF-8 text')
    return read
  }
  return {
    status: response.status,
    pairs: response.headers,
    headers: toRecord(response.headers),
    bytes,
    text,
    json: <T>() => JSON.parse(text()) as T,
  }
}

function splitUrl(url: string): { path: string; query: string; hasEmptyQuery: boolean; host: string } {
  const schemeEnd = url.startsWith('/') ? -1 : url.indexOf('://')
  const hostEnd = schemeEnd < 0 ? 0 : pathStart(url, schemeEnd + 3)
  const host = schemeEnd < 0 ? 'localhost' : url.slice(schemeEnd + 3, hostEnd)
  const target = url.slice(hostEnd)
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const query = mark < 0 ? '' : target.slice(mark + 1)
  return { path: path.startsWith('/') ? path : `/${path}`, query, hasEmptyQuery: mark >= 0 && query === '', host }
}

function pathStart(url: string, from: number): number {
  for (let i = from; i < url.length; i++) if (url[i] === '/' || url[i] === '?') return i
  return url.length
}

function toPairs(given: NonNullable<InjectOptions['headers']>): HeaderPairs {
  const pairs: HeaderPairs = []
  if (isPairs(given)) {
    for (let i = 0; i < given.length; i += 2) pairs.push((given[i] as string).toLowerCase(), given[i + 1] as string)
    return pairs
  }
  for (const name of Object.keys(given)) {
    const value = given[name] as string | readonly string[]
    for (const line of typeof value === 'string' ? [value] : value) pairs.push(name.toLowerCase(), line)
  }
  return pairs
}

function isPairs(given: NonNullable<InjectOptions['headers']>): given is readonly string[] {
  return Array.isArray(given)
}

function toBody(
  given: InjectOptions['body'],
  headers: HeaderPairs,
): { stream: ByteStream | undefined; length: number | undefined } {
  const declaredLength = headerOf(headers, 'content-length')
  if (given === undefined) return { stream: undefined, length: 0 }
  if (typeof given !== 'string' && !(given instanceof Uint8Array)) {
    if (declaredLength !== undefined) return { stream: given, length: Number(declaredLength) }
    if (headerOf(headers, 'transfer-encoding') === undefined) headers.push('transfer-encoding', 'chunked')
    return { stream: given, length: undefined }
  }
  const bytes = typeof given === 'string' ? utf8Bytes(given) : given
  if (bytes.length === 0) return { stream: undefined, length: 0 }
  if (headerOf(headers, 'transfer-encoding') !== undefined) return { stream: streamOf(bytes), length: undefined }
  if (declaredLength === undefined) headers.push('content-length', String(bytes.length))
  return { stream: streamOf(bytes), length: bytes.length }
}

function bytesOf(body: GatewayResponse['body'], limit: number): Promise<Uint8Array> | Uint8Array {
  if (body === undefined) return new Uint8Array(0)
  if (typeof body === 'string') return utf8Bytes(body)
  return body instanceof Uint8Array ? body : collect(body, limit)
}

function toRecord(pairs: HeaderPairs): Record<string, string> {
  const record: Record<string, string> = Object.create(null)
  for (let i = 0; i < pairs.length; i += 2) {
    const name = pairs[i] as string
    const value = pairs[i + 1] as string
    record[name] = record[name] === undefined ? value : `${record[name]}, ${value}`
  }
  return record
}
