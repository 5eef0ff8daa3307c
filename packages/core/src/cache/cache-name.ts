/**
 * Names of cached answers. A name is the whole of what tells two requests apart; no two different sets of parts make
 * one name, so that an answer is never given to a request it was not made for.
 *
 *     GET-/c/x?a=1          method, and path and query as the client sent them
 *     >                     sent on by a rewrite: its path is behind the listen path, a client's begins with it
 *     /v2                   the version, where a header names it: it is another API then
 *     X-Lang-de             one line for each header of `cache_by_headers`, none where there are none
 *     =cbd8a7b341bd9b02…    hash of the body that counts; only with POST, PUT and PATCH
 *     @org1key              whose answer it is: the key's name, or the client's address
 *
 * The lines hold what the recorded layout in Redis hashes, in its order, so that an adapter can make those names of
 * these (`recordedText`). The recorded text tells neither loops nor versions, and joins headers without any separator, which is ambiguous.
 * Source: spec/apis-and-pipeline.md 5, spec/redis-layout.md 7.
 */
import { type HeaderPairs, headersOf } from '../http/headers.ts'
import { murmur128 } from '../lib/hash/murmur128.ts'

/** A header of `cache_by_headers`: as it is written in the definition, and as requests carry it. */
export interface NamedHeader {
  readonly written: string
  readonly lower: string
}

/** The lines about the request itself. */
export function requestLine(method: string, path: string, query: string): string {
  return query === '' ? `${method}-${path}` : `${method}-${path}?${query}`
}

/** The line of requests that come from inside the gateway; see `pipeline/contract/loops.ts`. */
export const loopedLine = '\n>'

/** The line of a version that a header names. */
export function versionLine(version: string): string {
  return `\n/${version}`
}

/** The lines of `cache_by_headers`. A header that is not there counts as one without value. */
export function headerLines(headers: HeaderPairs, wanted: readonly NamedHeader[]): string {
  let lines = ''
  for (const { written, lower } of wanted) lines += `\n${written}-${headersOf(headers, lower).join(', ')}`
  return lines
}

/** The line of a body that counts. */
export function bodyLine(body: Uint8Array): string {
  return `\n=${murmur128(body)
    .map((part) => part.toString(16).padStart(8, '0'))
    .join('')}`
}

/** The line that says whose answer it is. */
export function clientLine(client: string): string {
  return `\n@${client}`
}

/** The methods whose body counts. */
export function bodyCounts(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

/** A name in its recorded parts: whose it is, and the text whose MD5 stands in the name of the Redis layout. */
export function recordedText(name: string): { readonly client: string; readonly text: string } {
  const at = name.indexOf('\n@')
  const [request = '', ...lines] = name.slice(0, at).split('\n')
  const body = lines.at(-1)?.startsWith('=') ? lines.pop()?.slice(1) : undefined
  const looped = lines[0] === '>' ? `-${lines.shift()}` : ''
  const version = lines[0]?.startsWith('/') ? `-${lines.shift()?.slice(1)}` : ''
  const headers = lines.length === 0 ? '' : `-${lines.join('')}`
  return {
    client: name.slice(at + 2),
    text: request + looped + version + headers + (body === undefined ? '' : `-${body}`),
  }
}
