/**
 * Builds the string that a client signs: lines `name: value` in the order of the signed headers. Source:
 * docs/reference/authentication.md#hmac-signatures.
 *
 * A client that cannot set `Date` sends `X-Aux-Date` instead. Some clients then sign the line with the name `date`,
 * others with `x-aux-date`, so both forms are accepted.
 */

import { headerOf } from '../../http/headers.ts'
import type { GatewayRequest } from '../../http/messages.ts'
import { decodeStrictly } from '../../lib/text/percent.ts'

/** Header that replaces `date`. */
export const auxDateHeader = 'x-aux-date'

/** Returns the text of `(request-target)` after the method. */
export type TargetOf = (request: GatewayRequest) => string

/** As recorded: the path without percent-encoding and without the query. One that cannot be decoded stays unchanged. */
export const decodedPath: TargetOf = ({ path }) => decodeStrictly(path) ?? path

/** As the request line has it, with the query. */
export const wholeTarget: TargetOf = ({ path, query }) => (query === '' ? path : `${path}?${query}`)

/** The strings that the client may have signed; two if `X-Aux-Date` replaces a signed date, otherwise one. */
export function signingStrings(
  request: GatewayRequest,
  headers: readonly string[],
  targetOf: TargetOf = decodedPath,
): readonly string[] {
  const linesOf = (dateName: string, date?: string) =>
    headers.map((name) => lineOf(request, name, { targetOf, dateName, date })).join('\n')
  const auxDate = headerOf(request.headers, auxDateHeader)
  if (auxDate === undefined || auxDate === '' || !headers.includes('date')) return [linesOf('date')]
  return [linesOf(auxDateHeader, auxDate), linesOf('date', auxDate)]
}

interface LineOptions {
  readonly targetOf: TargetOf
  readonly dateName: string
  readonly date: string | undefined
}

function lineOf(request: GatewayRequest, name: string, { targetOf, dateName, date }: LineOptions): string {
  if (name === '(request-target)') return `${name}: ${request.method.toLowerCase()} ${targetOf(request)}`
  if (name === 'date') return `${dateName}: ${date ?? headerOf(request.headers, 'date') ?? ''}`
  return `${name}: ${headerOf(request.headers, name) ?? ''}`
}

/**
 * The bytes of a signing string. Header values have one byte per character; only a decoded path can contain other
 * characters, and then the string is encoded as UTF-8.
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
