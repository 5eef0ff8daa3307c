/**
 * Verifies signatures with node:crypto. Verification is synchronous: an RSA signature takes about 40 µs, less than a
 * round trip to another thread, and core caches the result per token. The package jose is not used, because it is based
 * on the Web Crypto API, whose verification is asynchronous.
 */
import { constants, createPublicKey, type JsonWebKey, type KeyObject, verify, X509Certificate } from 'node:crypto'
import type { KeyMaterial, PublicKey, PublicKeyAlgorithm, Signatures } from '@turnpike/core'

interface Scheme {
  readonly hash: 'sha256' | 'sha384' | 'sha512'
  readonly kind: 'pkcs1' | 'pss' | 'ecdsa'
  /** OpenSSL name of the curve. ES256 requires a key on P-256 and so on (RFC 7518 section 3.4). */
  readonly curve?: string
}

const schemes: Readonly<Record<PublicKeyAlgorithm, Scheme>> = {
  RS256: { hash: 'sha256', kind: 'pkcs1' },
  RS384: { hash: 'sha384', kind: 'pkcs1' },
  RS512: { hash: 'sha512', kind: 'pkcs1' },
  PS256: { hash: 'sha256', kind: 'pss' },
  PS384: { hash: 'sha384', kind: 'pss' },
  PS512: { hash: 'sha512', kind: 'pss' },
  ES256: { hash: 'sha256', kind: 'ecdsa', curve: 'prime256v1' },
  ES384: { hash: 'sha384', kind: 'ecdsa', curve: 'secp384r1' },
  ES512: { hash: 'sha512', kind: 'ecdsa', curve: 'secp521r1' },
}

/** Supports RSA keys and EC keys on the curves P-256, P-384 and P-521. */
export const nodeSignatures: Signatures = {
  readKey(material) {
    const key = keyOf(material)
    return key === undefined ? undefined : toPublicKey(key)
  },
}

/** Converts a key of node:crypto. Returns `undefined` for key types that do not sign tokens. */
export function toPublicKey(key: KeyObject): PublicKey | undefined {
  const isRsa = key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'rsa-pss'
  if (!isRsa && key.asymmetricKeyType !== 'ec') return undefined
  const curve = key.asymmetricKeyDetails?.namedCurve
  return {
    family: isRsa ? 'rsa' : 'ecdsa',
    verify(algorithm, data, signature) {
      const scheme = schemes[algorithm]
      if (isRsa ? scheme.kind === 'ecdsa' : scheme.curve !== curve) return false
      try {
        return verify(scheme.hash, data, keyInput(key, scheme), signature)
      } catch {
        // The key is too short for the scheme, or it is a PSS key restricted to another hash.
        return false
      }
    },
  }
}

function keyInput(key: KeyObject, { kind }: Scheme) {
  if (kind === 'ecdsa') return { key, dsaEncoding: 'ieee-p1363' as const }
  if (kind === 'pkcs1') return { key, padding: constants.RSA_PKCS1_PADDING }
  // The salt has the length of the hash (RFC 7518 section 3.5).
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
}

function keyOf(material: KeyMaterial): KeyObject | undefined {
  try {
    return material.kind === 'pem' ? keyOfPem(material.text) : keyOfJwk(material.jwk)
  } catch {
    return undefined
  }
}

/** Rejects a private key, which is a configuration mistake where a public key is expected. */
function keyOfPem(text: string): KeyObject | undefined {
  if (text.includes('PRIVATE KEY-----')) return undefined
  if (text.includes('-----BEGIN CERTIFICATE-----')) return new X509Certificate(text).publicKey
  return createPublicKey(text)
}

/** Reads a JWK by its key parameters, or else by the first certificate of `x5c` (RFC 7517 section 4.7). */
function keyOfJwk(jwk: Readonly<Record<string, unknown>>): KeyObject | undefined {
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
