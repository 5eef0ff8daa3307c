/** Takes a token apart (RFC 7515, 3.1; RFC 7519). Nothing in it is to be trusted before its signature was checked. */

import { decodeBase64Url } from '../../lib/base64url.ts'
import { readJson } from '../../lib/text/read-json.ts'
import { strictUtf8Text } from '../../lib/text/utf8.ts'
import { algorithmOf, type TokenAlgorithm } from './algorithms.ts'
import { type Claims, isObject } from './claims.ts'

export interface ParsedToken {
  readonly algorithm: TokenAlgorithm
  /** Name of the key that signed, by the token's header; `undefined` when it names none. */
  readonly kid: string | undefined
  readonly claims: Claims
  /** What the signature is over. */
  readonly signed: string
  /** As sent, in base64. */
  readonly signature: string
}

/**
 * `undefined` when the text is no signed token, names an algorithm that nobody knows, or asks by `crit` for an
 * extension: none is understood here, and what is not understood must not be passed over (RFC 7515, 4.1.11).
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
