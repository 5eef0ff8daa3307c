/**
 * Comparing secrets. How long it takes depends on the length of what was sent, never on where it differs from what
 * was expected, so that nobody can guess a secret byte by byte.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8Bytes } from './text/utf8.ts'

/** Whether both are equal. Unequal lengths are told apart at once: lengths of digests and signatures are known. */
export function sameBytes(given: Uint8Array, expected: Uint8Array): boolean {
  if (given.length !== expected.length) return false
  let difference = 0
  for (let i = 0; i < given.length; i++) difference |= (given[i] as number) ^ (expected[i] as number)
  return difference === 0
}

/** The same for texts, as UTF-8. */
export function sameText(given: string, expected: string): boolean {
  return sameBytes(utf8Bytes(given), utf8Bytes(expected))
}

/**
 * Whether the given text is the secret. The time depends neither on the secret nor on its length, because digests are
 * compared. An empty secret matches nothing.
 */
export function isSecret(given: string | null | undefined, secret: string): boolean {
  const same = sameBytes(sha256(utf8Bytes(given ?? '')), sha256(utf8Bytes(secret)))
  return same && secret !== ''
}
