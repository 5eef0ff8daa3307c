/**
 * What a client signed: lines `name: value` in the order of the signed headers. Source: docs/reference/authentication.md#hmac-signatures.
 *
 * A client that cannot set `Date` sends `X-Aux-Date`, which takes its place. Its line may carry either name: both
 * were met in clients.
 */

import { headerOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { decodeStrictly } from '../../lib/text/percent.ts'

/** Header that takes the place of `date`. */
export const auxDateHeader = 'x-aux-date'

/** The strings that the client may have signed; more than one only where `X-Aux-Date` stands in for a signed date. */
export function signingStrings(request: GatewayRequest, headers: readonly string[]): readonly string[] {
  const auxDate = headerOf(request.headers, auxDateHeader)
  if (auxDate === undefined || auxDate === '' || !headers.includes('date')) return [linesOf(request, headers, 'date')]
  return [linesOf(request, headers, auxDateHeader, auxDate), linesOf(request, headers, 'date', auxDate)]
}

function linesOf(request: GatewayRequest, headers: readonly string[], dateName: string, date?: string): string {
  return headers.map((name) => lineOf(request, name, dateName, date)).join('\n')
}

function lineOf(request: GatewayRequest, name: string, dateName: string, date: string | undefined): string {
  if (name === '(request-target)') return `${name}: ${request.method.toLowerCase()} ${decodedPath(request.path)}`
  if (name === 'date') return `${dateName}: ${date ?? headerOf(request.headers, 'date') ?? ''}`
  return `${name}: ${headerOf(request.headers, name) ?? ''}`
}

/** The path is signed without escapes; one that cannot be decoded stays as it is. */
function decodedPath(path: string): string {
  return decodeStrictly(path) ?? path
}

/**
 * The bytes of a signing string. Values of headers are one byte a character, as they came; only a decoded path can
 * hold more, and then it is UTF-8.
 */
export function signedBytes(text: string, utf8: (text: string) => Uint8Array): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 0xff) return utf8(text)
    bytes[i] = unit
  }
  return bytes
}
