/**
 * Constant-time comparison of secrets. The duration depends on the length of the received value but not on the position
 * of the first difference, so an attacker cannot guess a secret byte by byte.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8Bytes } from './text/utf8.ts'

/** Returns true if both are equal. Unequal lengths return early: lengths of digests and signatures are public. */
export function sameBytes(given: Uint8Array, expected: Uint8Array): boolean {
  if (given.length !== expected.length) return false
  let difference = 0
  for (let i = 0; i < given.length; i++) difference |= (given[i] as number) ^ (expected[i] as number)
  return difference === 0
}

/** Like `sameBytes`, for the UTF-8 bytes of texts. */
export function sameText(given: string, expected: string): boolean {
  return sameBytes(utf8Bytes(given), utf8Bytes(expected))
}

/**
 * Returns true if the given text is the secret. The duration depends neither on the secret nor on its length, because
 * digests are compared. An empty secret matches nothing.
 */
export function isSecret(given: string | null | undefined, secret: string): boolean {
  const same = sameBytes(sha256(utf8Bytes(given ?? '')), sha256(utf8Bytes(secret)))
  return same && secret !== ''
}
