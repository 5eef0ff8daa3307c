/** Signing algorithms of tokens (RFC 7518 section 3.1) and the three families that an API can require. */
import type { MacHash } from '../../lib/mac.ts'
import type { PublicKeyAlgorithm } from '../../ports/signatures.ts'

/** Values of `jwt_signing_method`. */
export type KeyFamily = 'hmac' | 'rsa' | 'ecdsa'

export type TokenAlgorithm =
  | { readonly family: 'hmac'; readonly hash: MacHash }
  | { readonly family: 'rsa' | 'ecdsa'; readonly name: PublicKeyAlgorithm }
  /** Known, but never accepted. */
  | { readonly family: 'other' }

const rsa = (name: PublicKeyAlgorithm): TokenAlgorithm => ({ family: 'rsa', name })
const ecdsa = (name: PublicKeyAlgorithm): TokenAlgorithm => ({ family: 'ecdsa', name })

const algorithms = new Map<unknown, TokenAlgorithm>([
  ['HS256', { family: 'hmac', hash: 'sha256' }],
  ['HS384', { family: 'hmac', hash: 'sha384' }],
  ['HS512', { family: 'hmac', hash: 'sha512' }],
  ['RS256', rsa('RS256')],
  ['RS384', rsa('RS384')],
  ['RS512', rsa('RS512')],
  ['PS256', rsa('PS256')],
  ['PS384', rsa('PS384')],
  ['PS512', rsa('PS512')],
  ['ES256', ecdsa('ES256')],
  ['ES384', ecdsa('ES384')],
  ['ES512', ecdsa('ES512')],
  ['EdDSA', { family: 'other' }],
  ['none', { family: 'other' }],
])

/** The algorithm in a token's header; `undefined` if it is unknown. */
export function algorithmOf(name: unknown): TokenAlgorithm | undefined {
  return algorithms.get(name)
}

/** Parses `jwt_signing_method`. Default: `hmac`. */
export function keyFamilyOf(signingMethod: string): KeyFamily {
  const method = signingMethod.toLowerCase()
  return method === 'rsa' || method === 'ecdsa' ? method : 'hmac'
}
