/** HMAC (RFC 2104), selected by the name of the hash function. */
import { hmac } from '@noble/hashes/hmac.js'
import { sha1 } from '@noble/hashes/legacy.js'
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js'

const hashes = { sha1, sha256, sha384, sha512 }

export type MacHash = keyof typeof hashes

/** Computes the HMAC of the bytes: 20, 32, 48 or 64 bytes. */
export function macOf(hash: MacHash, secret: Uint8Array, data: Uint8Array): Uint8Array {
  return hmac(hashes[hash], secret, data)
}
