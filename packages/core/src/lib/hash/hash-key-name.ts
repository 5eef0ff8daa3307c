/**
 * Names under which keys are stored when `hash_keys` is on, and key hashes for logs. `storedNameOf` in
 * `session/names/key-name.ts` decides whether a name is hashed.
 * Source: docs/reference/redis-layout.md#tokens, docs/reference/sessions.md#hashed-storage.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8Bytes } from '../text/utf8.ts'
import { murmur32 } from './murmur32.ts'
import { murmur128 } from './murmur128.ts'
import { readTokenParts } from './token-fields.ts'

export const hashFunctions = ['murmur32', 'murmur64', 'murmur128', 'sha256'] as const
export type HashFunction = (typeof hashFunctions)[number]

/** Returns true if the text is the name of a hash function. */
export function isHashFunction(text: string): text is HashFunction {
  return (hashFunctions as readonly string[]).includes(text)
}

/** Normalizes the value of `hash_key_function`: an unknown name means murmur64; an empty one stays empty. */
export function readHashFunction(configured: string): HashFunction | '' {
  if (configured === '' || isHashFunction(configured)) return configured
  return 'murmur64'
}

/**
 * Hashes the UTF-8 bytes of a text to lower-case hex: 8, 16, 32 or 64 digits. See `murmur32.ts` for its deviation from
 * MurmurHash3.
 */
export function hashText(text: string, fn: HashFunction): string {
  const bytes = utf8Bytes(text)
  if (fn === 'murmur32') return hexOfNumber(murmur32(bytes), 8)
  if (fn === 'sha256') return hexOf(sha256(bytes))
  const [first, second] = murmur128(bytes)
  return fn === 'murmur64' ? hexOfNumber(first, 16) : hexOfNumber(first, 16) + hexOfNumber(second, 16)
}

/**
 * Hashes the full name of a key, with the function that a base64 name contains; murmur32 if it contains none or an
 * unknown one. `hash_key_function` has an effect only when a name is made.
 */
export function hashKeyName(keyName: string): string {
  const named = readTokenParts(keyName)?.hashFunction
  return hashText(keyName, named !== undefined && isHashFunction(named) ? named : 'murmur32')
}

/** Whether a stored name has the form of a murmur hash, from which anyone can compute a name with the same hash. */
export function looksLikeMurmurHash(storedName: string): boolean {
  return /^(?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{32})$/.test(storedName)
}

/** The warning in lists of keys that show such hashes. */
export const invertibleHashWarning =
  'these hashes can be inverted: who sees one computes a working key. Set hash_key_function to sha256 and replace the keys'

function hexOfNumber(value: number | bigint, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

function hexOf(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}
