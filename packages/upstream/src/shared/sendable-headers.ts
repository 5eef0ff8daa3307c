/**
 * Prepares headers and paths for the HTTP client. The client writes the framing headers itself: a copied Content-Length or
 * Transfer-Encoding could contradict them and enable request smuggling.
 */
import type { HeaderPairs } from '@turnpike/core/http'

/**
 * Returns the headers without framing and connection headers, except `connection: close`, which undici obeys. Adds
 * Content-Length if `bodyLength` is known. A list without changes is not copied.
 */
export function sendableHeaders(headers: HeaderPairs, bodyLength: number | undefined): HeaderPairs {
  let clean = bodyLength === undefined
  for (let i = 0; clean && i < headers.length; i += 2) clean = !isFraming(headers[i] as string)
  if (clean) return headers
  const kept: HeaderPairs = []
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    const value = headers[i + 1] as string
    if (!isFraming(name) || (name === 'connection' && value.toLowerCase() === 'close')) kept.push(name, value)
  }
  if (bodyLength !== undefined) kept.push('content-length', String(bodyLength))
  return kept
}

/** Returns true for framing and connection headers, which the HTTP client writes itself. */
export function isFraming(name: string): boolean {
  switch (name.length) {
    case 6:
      return name === 'expect'
    case 7:
      return name === 'upgrade'
    case 10:
      return name === 'connection' || name === 'keep-alive'
    case 14:
      return name === 'content-length'
    case 17:
      return name === 'transfer-encoding'
    default:
      return false
  }
}

/**
 * Encodes characters above 0xff as UTF-8, percent-encoded in a path. It is called only after the unencoded form was
 * rejected, so that ordinary requests do not pay for it.
 */
export function encodeForWire(path: string, headers: HeaderPairs): { path: string; headers: HeaderPairs } {
  return {
    path: path.replace(/[^\u0021-\u00ff]+/g, (part) => percentEncoded(part)),
    headers: headers.map((text, i) => (i % 2 === 1 && /[^\0-\xff]/.test(text) ? utf8AsLatin1(text) : text)),
  }
}

function utf8AsLatin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

function percentEncoded(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex').toUpperCase().replace(/../g, '%$&')
}
