/** Keys and signed JSON web tokens for the suite of the port `TokenVerifier`. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { TokenKey } from '@turnpike/core/ports'

export const secret = 'a-shared-secret-of-enough-length'
export const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const p521 = generateKeyPairSync('ec', { namedCurve: 'P-521' })
const pairs: Readonly<Record<string, typeof rsa>> = { ES256: p256, ES384: p384, ES512: p521 }
export const pairOf = (algorithm: string) => pairs[algorithm] ?? rsa
export const publicKeyAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512']
export const familyOf = { H: 'hmac', R: 'rsa', P: 'rsa', E: 'ecdsa' } as Readonly<Record<string, TokenKey['family']>>

export const pem = (key: KeyObject, type: 'spki' | 'pkcs1' = 'spki') => String(key.export({ type, format: 'pem' }))
export const encode = (value: string | object) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const hashOfAlgorithm = new Map<unknown, string>([
  ['HS256', 'sha256'],
  ['HS384', 'sha384'],
  ['HS512', 'sha512'],
])

/** Signs a token with HMAC. Text in place of the claims is taken as it is. */
export function signToken(claims: object | string, header: object = {}, key = secret): string {
  const { alg } = { alg: 'HS256', ...header } as { alg: unknown }
  const signed = `${encode({ alg: 'HS256', ...header })}.${encode(claims)}`
  const hash = hashOfAlgorithm.get(alg) ?? 'sha256'
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}

/** Signs a token with a private key. */
export function signBy(alg: string, key: KeyObject, data = `${encode({ alg })}.${encode({ sub: 'a' })}`): string {
  const hash = `sha${alg.slice(2)}`
  const options = {
    E: { key, dsaEncoding: 'ieee-p1363' as const },
    // Padding 6 is RSA_PKCS1_PSS_PADDING, salt length -1 is the length of the hash.
    P: { key, padding: 6, saltLength: -1 },
    R: { key },
  }[alg[0] ?? '']
  return `${data}.${sign(hash, Buffer.from(data), options ?? key).toString('base64url')}`
}
