/**
 * Parses and verifies JSON web tokens. fast-jwt verifies signatures, synchronously, with the algorithms of the key only.
 * This file rejects what fast-jwt accepts: encodings that are not canonical, text that is not UTF-8, deep nesting, `crit`
 * headers with an empty value, and keys on the curve secp256k1.
 */
import { isUtf8 } from 'node:buffer'
import { createPublicKey, type JsonWebKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createRequire } from 'node:module'
import { readJson } from '@turnpike/core/lib'
import type { ParsedToken, TokenFamily, TokenKey, TokenVerifier } from '@turnpike/core/ports'
import type { Algorithm } from 'fast-jwt'

const algorithms: Readonly<Record<TokenFamily, readonly Algorithm[]>> = {
  hmac: ['HS256', 'HS384', 'HS512'],
  rsa: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ecdsa: ['ES256', 'ES384', 'ES512'],
}
const familyOfAlgorithm = new Map<unknown, ParsedToken['family']>([
  ...Object.entries(algorithms).flatMap(([family, names]) =>
    names.map((name): [string, TokenFamily] => [name, family as TokenFamily]),
  ),
  ['EdDSA', 'other'],
  ['none', 'other'],
])
/** Each algorithm requires a key on its own curve (RFC 7518 section 3.4). */
const algorithmOfCurve: Readonly<Record<string, Algorithm>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
}

export const fastJwtVerifier: TokenVerifier = {
  parse(text) {
    const [first, second, signature, more] = text.split('.', 4)
    if (first === undefined || second === undefined || signature === undefined || more !== undefined) return undefined
    const header = readPart(first)
    const claims = readPart(second)
    if (header === undefined || claims === undefined || Object.hasOwn(header, 'crit')) return undefined
    const family = familyOfAlgorithm.get(own(header, 'alg')) ?? 'unknown'
    const kid = own(header, 'kid')
    return { text, family, kid: typeof kid === 'string' ? kid : undefined, claims }
  },
  readKey(material) {
    try {
      if (material.kind === 'secret') return secretKey(Buffer.from(material.bytes))
      if (material.kind === 'pem') return publicKey(readPem(material.text))
      return own(material.jwk, 'kty') === 'oct' ? readSecretJwk(material.jwk) : publicKey(readPublicJwk(material.jwk))
    } catch {
      return undefined
    }
  },
}

/** fast-jwt rejects an empty secret, which anybody could sign with. */
function secretKey(secret: Buffer): TokenKey {
  return makeKey('hmac', secret, algorithms.hmac)
}

/** Supports RSA keys and EC keys on the curves P-256, P-384 and P-521. */
function publicKey(key: KeyObject | undefined): TokenKey | undefined {
  if (key === undefined) return undefined
  const pem = String(key.export({ type: 'spki', format: 'pem' }))
  if (key.asymmetricKeyType === 'rsa') return makeKey('rsa', pem, algorithms.rsa)
  const algorithm = algorithmOfCurve[key.asymmetricKeyDetails?.namedCurve ?? '']
  return algorithm === undefined ? undefined : makeKey('ecdsa', pem, [algorithm])
}

/** Loading fast-jwt takes about 40 ms, so only gateways with a key of a token issuer load it. */
function loadLibrary(): typeof import('fast-jwt') {
  library ??= createRequire(import.meta.url)('fast-jwt') as typeof import('fast-jwt')
  return library
}
let library: typeof import('fast-jwt') | undefined

/** Core checks the times of a token, with skews and error texts of its own. */
function makeKey(family: TokenFamily, key: string | Buffer, accepted: readonly Algorithm[]): TokenKey {
  const { createVerifier } = loadLibrary()
  const verify = createVerifier({ key, algorithms: [...accepted], ignoreExpiration: true, ignoreNotBefore: true })
  return {
    family,
    verifies({ text }) {
      if (decodeCanonical(text.slice(text.lastIndexOf('.') + 1)) === undefined) return false
      try {
        verify(text)
        return true
      } catch {
        return false
      }
    },
  }
}

function readPart(text: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = decodeCanonical(text)
  if (bytes === undefined || !isUtf8(bytes)) return undefined
  const read = readJson(bytes)
  if (read.problem !== undefined || typeof read.value !== 'object' || Array.isArray(read.value)) return undefined
  return (read.value as Record<string, unknown> | null) ?? undefined
}

/** Decodes base64url. Only one text per value is accepted, so that a token has one form (RFC 4648 section 3.5). */
function decodeCanonical(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** Rejects a private key, which is a configuration mistake where a public key is expected. */
function readPem(text: string): KeyObject | undefined {
  if (text.includes('PRIVATE KEY-----')) return undefined
  if (text.includes('-----BEGIN CERTIFICATE-----')) return new X509Certificate(text).publicKey
  return createPublicKey(text)
}

function readSecretJwk(jwk: Readonly<Record<string, unknown>>): TokenKey | undefined {
  const text = own(jwk, 'k')
  const secret = typeof text === 'string' ? decodeCanonical(text) : undefined
  return secret === undefined ? undefined : secretKey(secret)
}

/** Reads a JWK by its key parameters, or else by the first certificate of `x5c` (RFC 7517 section 4.7). */
function readPublicJwk(jwk: Readonly<Record<string, unknown>>): KeyObject {
  const chain = own(jwk, 'x5c')
  const first: unknown = Array.isArray(chain) ? chain[0] : undefined
  const hasParameters = typeof own(jwk, 'n') === 'string' || typeof own(jwk, 'x') === 'string'
  if (!hasParameters && typeof first === 'string') return new X509Certificate(Buffer.from(first, 'base64')).publicKey
  const { kty, n, e, crv, x, y } = jwk
  return createPublicKey({ key: { kty, n, e, crv, x, y } as JsonWebKey, format: 'jwk' })
}

function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
