/**
 * Trailers: fields after a chunked body or at the end of an HTTP/2 stream (RFC 9110, 6.5). The reader of a message
 * filters them once with `passedTrailers`, so the writer does not check them again. They are the argument of
 * `ByteSink.end` and never become headers, because everything that depends on headers is decided before the body.
 */
import { isToken } from './field-names.ts'
import type { HeaderPairs } from './headers.ts'

/** Longest trailer section, in fields, equal to the limit for headers. A message with more fails. */
export const maxTrailerLines = 99

/**
 * Fields that a recipient must know before the body (RFC 9110, 6.5.1): framing, connection, routing, request modifiers,
 * authentication, response control and content format. Digests and `ETag` are allowed in trailers.
 */
const forbidden: ReadonlySet<string> = new Set(
  `transfer-encoding content-length connection keep-alive proxy-connection te trailer upgrade http2-settings
  host forwarded via x-real-ip max-forwards
  expect range if-match if-none-match if-modified-since if-unmodified-since if-range
  authorization cookie set-cookie www-authenticate proxy-authenticate proxy-authorization
  age cache-control date expires location pragma retry-after vary warning
  content-encoding content-type content-range`.split(/\s+/),
)

/** Whether a field with this lower-case name must not be forwarded as a trailer. */
export function isForbiddenTrailer(name: string): boolean {
  return forbidden.has(name) || name.startsWith(':') || name.startsWith('x-forwarded-')
}

/** The trailers that may be forwarded; `undefined` if there are none. Names are in lower case. */
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

/** The value for a forwarded `Trailer` header; `undefined` if it announces no trailer that may be forwarded. */
export function passedTrailerNames(headers: HeaderPairs): string | undefined {
  let names: string[] | undefined
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i] !== 'trailer') continue
    for (const part of (headers[i + 1] as string).split(',')) {
      const name = part.trim().toLowerCase()
      if (!isToken(name) || isForbiddenTrailer(name)) continue
      names ??= []
      if (!names.includes(name)) names.push(name)
    }
  }
  return names?.slice(0, maxTrailerLines).join(', ')
}
