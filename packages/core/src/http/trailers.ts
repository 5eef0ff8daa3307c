/**
 * Trailers: fields that follow a chunked body, or end a stream of HTTP/2 (RFC 9110, 6.5). Whoever reads a message puts
 * them through `passedTrailers` once, so that whoever writes it on has nothing to look at but the bytes. They travel
 * as the argument of `ByteSink.end`, never among the headers: what a header decides was decided before the body.
 */
import type { HeaderPairs } from './headers.ts'

/** Lines of one trailer section, as many as a head may have; a message with more is broken off. */
export const maxTrailerLines = 99

/**
 * What a recipient needs before the body, or acts upon (RFC 9110, 6.5.1): framing and the connection, routing, what
 * modifies a request, who asks, what controls an answer, how content is to be read. Digests and `ETag` may follow.
 */
const forbidden: ReadonlySet<string> = new Set(
  `transfer-encoding content-length connection keep-alive proxy-connection te trailer upgrade http2-settings
  host forwarded via x-real-ip max-forwards
  expect range if-match if-none-match if-modified-since if-unmodified-since if-range
  authorization cookie set-cookie www-authenticate proxy-authenticate proxy-authorization
  age cache-control date expires location pragma retry-after vary warning
  content-encoding content-type content-range`.split(/\s+/),
)

/** Whether a field of this name, in lower case, must not pass as a trailer. */
export function isForbiddenTrailer(name: string): boolean {
  return forbidden.has(name) || name.startsWith(':') || name.startsWith('x-forwarded-')
}

/** The trailers that may be passed on; `undefined` when none may. Names are in lower case. */
export function passedTrailers(given: HeaderPairs): HeaderPairs | undefined {
  let passed: HeaderPairs | undefined
  for (let i = 0; i < given.length; i += 2) {
    const name = given[i] as string
    if (isForbiddenTrailer(name)) continue
    passed ??= []
    passed.push(name, given[i + 1] as string)
  }
  return passed
}

const token = /^[\w!#$%&'*+\-.^`|~]+$/

/** The names that the lines of a `Trailer` header announce, as one line to write on; `undefined` when none may pass. */
export function passedTrailerNames(headers: HeaderPairs): string | undefined {
  let names: string[] | undefined
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i] !== 'trailer') continue
    for (const part of (headers[i + 1] as string).split(',')) {
      const name = part.trim().toLowerCase()
      if (!token.test(name) || isForbiddenTrailer(name)) continue
      names ??= []
      if (!names.includes(name)) names.push(name)
    }
  }
  return names?.slice(0, maxTrailerLines).join(', ')
}
