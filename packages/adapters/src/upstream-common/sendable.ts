/**
 * Header lines and paths as undici takes them. Framing belongs to it alone: a length or coding that came with the
 * request would tell a second story about where its body ends, which is how requests are smuggled.
 */
import type { HeaderPairs } from '@turnpike/core'

/**
 * The headers without those that frame a message or speak of a connection; `Connection: close` is kept, as the way
 * to ask for it. `bodyLength` is told when it is known. The usual list passes uncopied.
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

/** Whether the header frames a message or speaks of a connection, which is the client's own matter. */
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
 * Headers and path with what cannot go on the wire as it is put into bytes that can: characters beyond one byte
 * become UTF-8, in a path percent-encoded. Only asked after a refusal, so that the usual request pays nothing.
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
