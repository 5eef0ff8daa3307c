/** Makes tokens for tests, with a shared secret. Not part of the package's surface. */
import { type MacHash, macOf } from '../../../src/lib/mac.ts'
import { encodeBase64 } from '../../../src/lib/text/base64.ts'
import { utf8Bytes } from '../../../src/lib/text/utf8.ts'

export interface TokenOptions {
  readonly header?: Readonly<Record<string, unknown>>
  readonly secret?: string
  readonly hash?: MacHash
}

export const testSecret = 'a-shared-secret-of-enough-length'

/** Signs a token with these claims, or with this text as its payload. */
export function signToken(claims: object | string, options: TokenOptions = {}): string {
  const { header = {}, secret = testSecret, hash = 'sha256' } = options
  const head = encodeJson(JSON.stringify({ alg: `HS${hash.slice(3)}`, typ: 'JWT', ...header }))
  const body = encodeJson(typeof claims === 'string' ? claims : JSON.stringify(claims))
  const signed = `${head}.${body}`
  return `${signed}.${toUrl(macOf(hash, utf8Bytes(secret), utf8Bytes(signed)))}`
}

function encodeJson(json: string): string {
  return toUrl(utf8Bytes(json))
}

/** Encodes base64url. */
export function toUrl(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
