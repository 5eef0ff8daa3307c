/** Verifies the signature of a token. */

import { decodeBase64Url } from '../../lib/base64url.ts'
import { macOf } from '../../lib/mac.ts'
import { sameBytes } from '../../lib/same-bytes.ts'
import { utf8Bytes } from '../../lib/text/utf8.ts'
import type { PublicKey } from '../../ports/signatures.ts'
import type { ParsedToken } from './parse-token.ts'

/** A key that verifies signatures of tokens. */
export type TokenKey = { readonly family: 'hmac'; readonly secret: Uint8Array } | PublicKey

/** A shared secret as a key; `undefined` for an empty secret, which anybody could sign with. */
export function secretKey(secret: Uint8Array): TokenKey | undefined {
  return secret.length === 0 ? undefined : { family: 'hmac', secret }
}

/** Returns false if the key's family differs from the algorithm's, so that a public key never serves as a secret. */
export function isSignedBy(token: ParsedToken, key: TokenKey): boolean {
  const { algorithm } = token
  const signature = decodeBase64Url(token.signature)
  if (signature === undefined) return false
  const data = utf8Bytes(token.signed)
  if (algorithm.family === 'hmac') {
    return key.family === 'hmac' && sameBytes(signature, macOf(algorithm.hash, key.secret, data))
  }
  if (algorithm.family === 'other' || key.family === 'hmac' || key.family !== algorithm.family) return false
  return key.verify(algorithm.name, data, signature)
}
