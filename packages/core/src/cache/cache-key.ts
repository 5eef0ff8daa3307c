/**
 * Cache keys of responses. A key contains every part of a request that selects a response, and different parts never
 * make the same key, so the cache never serves a response to a request that it was not made for.
 *
 *     GET-/c/x?a=1          method, then path and query as the client sent them
 *     >                     only for requests that a rewrite sent to another API of this gateway: their path lacks the
 *                           listen path, with which the path of a client's request begins
 *     /v2                   the version, if a header names it
 *     X-Lang-de             one line for each header of `cache_by_headers`
 *     =cbd8a7b341bd9b02…    hash of the selecting part of the body; only with POST, PUT and PATCH
 *     @org1key              the client: the key name, or the client's address
 *
 * `compatibleKeyParts` converts a cache key to the parts of a key in Redis that other gateways of a group compute too.
 * That format is ambiguous: it joins headers without a separator.
 * Source: docs/reference/response-cache.md#cache-key, docs/reference/redis-counters.md#cached-responses.
 */
import { type HeaderPairs, headersOf } from '../http/headers.ts'
import { murmur128 } from '../lib/hash/murmur128.ts'

/** A header of `cache_by_headers`: as the definition writes it, and in lower case as requests carry it. */
export interface NamedHeader {
  readonly written: string
  readonly lower: string
}

/** The line of method, path and query. */
export function requestLine(method: string, path: string, query: string): string {
  return query === '' ? `${method}-${path}` : `${method}-${path}?${query}`
}

/** The line of requests that come from another API of this gateway. */
export const loopedLine = '\n>'

/** The line of a version that a header names. */
export function versionLine(version: string): string {
  return `\n/${version}`
}

/** The lines of `cache_by_headers`. A missing header counts as an empty one. */
export function headerLines(headers: HeaderPairs, wanted: readonly NamedHeader[]): string {
  let lines = ''
  for (const { written, lower } of wanted) lines += `\n${written}-${headersOf(headers, lower).join(', ')}`
  return lines
}

/** The line of the body, or of the part of it that selects the response. */
export function bodyLine(body: Uint8Array): string {
  return `\n=${murmur128(body)
    .map((part) => part.toString(16).padStart(8, '0'))
    .join('')}`
}

/** The line of the client: a key name or an address. */
export function clientLine(client: string): string {
  return `\n@${client}`
}

/** Whether the body of a request with this method is part of its cache key. */
export function bodySelects(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

/** The client of a cache key, and the text whose MD5 hash is part of the key in Redis. */
export function compatibleKeyParts(cacheKey: string): { readonly client: string; readonly text: string } {
  const at = cacheKey.indexOf('\n@')
  const [request = '', ...lines] = cacheKey.slice(0, at).split('\n')
  const body = lines.at(-1)?.startsWith('=') ? lines.pop()?.slice(1) : undefined
  const looped = lines[0] === '>' ? `-${lines.shift()}` : ''
  const version = lines[0]?.startsWith('/') ? `-${lines.shift()?.slice(1)}` : ''
  const headers = lines.length === 0 ? '' : `-${lines.join('')}`
  return {
    client: cacheKey.slice(at + 2),
    text: request + looped + version + headers + (body === undefined ? '' : `-${body}`),
  }
}
