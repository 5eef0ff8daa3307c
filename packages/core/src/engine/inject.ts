/**
 * Requests without a socket: what `gateway.inject`, batch items and tests send into the engine, and how they read what
 * comes back. Nothing here is on the hot path of a served request.
 */
import { type ByteStream, collect, streamOf } from '../http/byte-stream.ts'
import { type HeaderPairs, headerOf } from '../http/headers.ts'
import type { GatewayRequest, GatewayResponse } from '../http/messages.ts'
import { strictUtf8Text, utf8Bytes } from '../lib/text/utf8.ts'

/** A request to inject, as short as the caller likes. */
export interface InjectOptions {
  /** GET by default. */
  readonly method?: string
  /** Path and query (`/a?b=c`), or an absolute URL, whose host then becomes the Host header when none is given. */
  readonly url: string
  /** A record or flat pairs; names in any case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | readonly string[]
  /** Text goes as UTF-8; a stream goes without a length unless `content-length` is given. */
  readonly body?: string | Uint8Array | ByteStream
  /** 127.0.0.1 by default. */
  readonly remoteAddress?: string
  /** Whether it counts as protected by TLS; false by default. */
  readonly secure?: boolean
}

/** A request in the engine's shape, and the way to play its client going away. */
export interface InjectedRequest extends GatewayRequest {
  abort(): void
}

/** Makes a request as a front end would hand it over: lower-case names, Host and Content-Length there. */
export function makeInjectedRequest(options: InjectOptions): InjectedRequest {
  const { path, query, host } = splitUrl(options.url)
  const headers = toPairs(options.headers ?? [])
  if (headerOf(headers, 'host') === undefined) headers.unshift('host', host)
  const { stream, length } = toBody(options.body, headers)
  let listener: (() => void) | undefined
  return {
    method: options.method ?? 'GET',
    path,
    query,
    headers,
    remoteAddress: options.remoteAddress ?? '127.0.0.1',
    secure: options.secure ?? false,
    body: stream,
    bodyLength: length,
    onAbort(to) {
      listener = to
    },
    abort() {
      const told = listener
      listener = undefined
      told?.()
    },
  }
}

/** An answer read to its end. */
export interface CollectedResponse {
  readonly status: number
  /** Pairs as they were answered. */
  readonly pairs: HeaderPairs
  /** By lower-case name; lines of one name joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  /** Throws when the body is not UTF-8. */
  text(): string
  /** The body as JSON. Throws when it is none. */
  json<T = unknown>(): T
}

/** Reads an answer's body. Rejects when it breaks off, or with `BodyTooLarge` over `limit` bytes (no limit by default). */
export async function collectResponse(
  answer: GatewayResponse,
  limit = Number.POSITIVE_INFINITY,
): Promise<CollectedResponse> {
  const bytes = await bytesOf(answer.body, limit)
  const text = () => {
    const read = strictUtf8Text(bytes)
    if (read === undefined) throw new Error('the body is not UTF-8 text')
    return read
  }
  return {
    status: answer.status,
    pairs: answer.headers,
    headers: toRecord(answer.headers),
    bytes,
    text,
    json: <T>() => JSON.parse(text()) as T,
  }
}

function splitUrl(url: string): { path: string; query: string; host: string } {
  const schemeEnd = url.startsWith('/') ? -1 : url.indexOf('://')
  const hostEnd = schemeEnd < 0 ? 0 : pathStart(url, schemeEnd + 3)
  const host = schemeEnd < 0 ? 'localhost' : url.slice(schemeEnd + 3, hostEnd)
  const target = url.slice(hostEnd)
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  return { path: path.startsWith('/') ? path : `/${path}`, query: mark < 0 ? '' : target.slice(mark + 1), host }
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
  const told = headerOf(headers, 'content-length')
  if (given === undefined) return { stream: undefined, length: 0 }
  if (typeof given !== 'string' && !(given instanceof Uint8Array)) {
    if (told !== undefined) return { stream: given, length: Number(told) }
    if (headerOf(headers, 'transfer-encoding') === undefined) headers.push('transfer-encoding', 'chunked')
    return { stream: given, length: undefined }
  }
  const bytes = typeof given === 'string' ? utf8Bytes(given) : given
  if (bytes.length === 0) return { stream: undefined, length: 0 }
  if (headerOf(headers, 'transfer-encoding') !== undefined) return { stream: streamOf(bytes), length: undefined }
  if (told === undefined) headers.push('content-length', String(bytes.length))
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
