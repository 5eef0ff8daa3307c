/** Parses a token (RFC 7515 section 3.1; RFC 7519). Its contents are untrusted until the signature is verified. */

import { decodeBase64Url } from '../../lib/base64url.ts'
import { readJson } from '../../lib/text/read-json.ts'
import { strictUtf8Text } from '../../lib/text/utf8.ts'
import { algorithmOf, type TokenAlgorithm } from './algorithms.ts'
import { type Claims, isObject } from './claims.ts'

export interface ParsedToken {
  readonly algorithm: TokenAlgorithm
  /** Key id in the token's header; `undefined` if it is missing. */
  readonly kid: string | undefined
  readonly claims: Claims
  /** The text that the signature covers. */
  readonly signed: string
  /** As sent, in base64url. */
  readonly signature: string
}

/**
 * Returns `undefined` if the text is not a signed token, names an unknown algorithm, or has a `crit` header: no extension
 * is supported, and a token with an unsupported one must be rejected (RFC 7515 section 4.1.11).
 */
export function parseToken(text: string): ParsedToken | undefined {
  const first = text.indexOf('.')
  const second = text.indexOf('.', first + 1)
  if (first <= 0 || second === -1 || text.indexOf('.', second + 1) !== -1) return undefined
  const header = readPart(text.slice(0, first))
  const claims = readPart(text.slice(first + 1, second))
  if (header === undefined || claims === undefined || Object.hasOwn(header, 'crit')) return undefined
  const algorithm = algorithmOf(Object.hasOwn(header, 'alg') ? header['alg'] : undefined)
  if (algorithm === undefined) return undefined
  const kid = Object.hasOwn(header, 'kid') ? header['kid'] : undefined
  return {
    algorithm,
    kid: typeof kid === 'string' ? kid : undefined,
    claims,
    signed: text.slice(0, second),
    signature: text.slice(second + 1),
  }
}

function readPart(text: string): Claims | undefined {
  const bytes = decodeBase64Url(text)
  if (bytes === undefined || strictUtf8Text(bytes) === undefined) return undefined
  const read = readJson(bytes)
  return read.problem === undefined && isObject(read.value) ? read.value : undefined
}
